# Sourced: finds a running Docker engine, or starts one by hand and stops what it started. Needs common.sh.
engine_pid=
engine_socket=${DOCKER_HOST:-unix:///var/run/docker.sock}
case "$engine_socket" in
  unix://*) engine_socket=${engine_socket#unix://} ;;
  *) die "DOCKER_HOST is $engine_socket, but these scripts reach an engine by its socket only (unix://...)" ;;
esac

engine_running() {
  curl -fs -o /dev/null --max-time 5 --unix-socket "$engine_socket" http://engine/_ping 2>/dev/null
}

# Options that make gVisor known to a dockerd that we start: through a program of ours, since an option takes no arguments
# of a runtime. Where the operator's own configuration names runtimes, theirs stand alone.
gvisor_options() {
  command -v runsc >/dev/null || return 0
  ! grep -q '"runtimes"' /etc/docker/daemon.json 2>/dev/null || return 0
  printf '#!/bin/sh\nexec %s --platform=ptrace --network=none "$@"\n' "$(command -v runsc)" >"$cache/runsc"
  chmod 755 "$cache/runsc"
  printf '%s\n' "--add-runtime=runsc=$cache/runsc"
}

# The same for crun, which refuses cgroup v1 with controllers of v2 beside it.
crun_options() {
  command -v crun >/dev/null || return 0
  ! grep -q '"runtimes"' /etc/docker/daemon.json 2>/dev/null || return 0
  [ ! -e /sys/fs/cgroup/unified/cgroup.controllers ] || return 0
  printf '%s\n' "--add-runtime=crun=$(command -v crun)"
}

# start_dockerd [OPTION...]: by hand, for machines without systemd; true once its socket answers.
start_dockerd() {
  local log=$cache/dockerd.log runtimes
  mapfile -t runtimes < <(gvisor_options; crun_options)
  setsid dockerd --host "unix://$engine_socket" "${runtimes[@]}" "$@" >"$log" 2>&1 </dev/null &
  engine_pid=$!
  local end=$((SECONDS + 60))
  until engine_running; do
    if ! kill -0 "$engine_pid" 2>/dev/null; then engine_pid=; return 1; fi
    if [ "$SECONDS" -ge "$end" ]; then stop_engine; return 1; fi
    sleep 0.3
  done
}

# Makes sure that an engine runs; false, with the reason said, when none can. One that was started here ends with
# stop_engine.
need_engine() {
  if engine_running; then return; fi
  if [ -S "$engine_socket" ] && [ ! -w "$engine_socket" ]; then
    local group; group=$(stat -c %G "$engine_socket")
    complain "$engine_socket belongs to group $group and user $(id -un) may not open it:" \
      "run \"usermod -aG $group $(id -un)\" as root and sign in again"
    return 1
  fi
  if [ -d /run/systemd/system ] && systemctl cat docker.service >/dev/null 2>&1; then
    say "starting the Docker service"
    as_root systemctl start docker && wait_for 60 engine_running && return
    complain "the Docker service was started, but $engine_socket does not answer"
    return 1
  fi
  if ! command -v dockerd >/dev/null; then
    complain "no container engine runs and dockerd is not installed: run scripts/install"
    return 1
  fi
  if [ "$(id -u)" != 0 ]; then complain "no container engine runs, and starting dockerd needs root"; return 1; fi
  say "no container engine runs: starting dockerd"
  if start_dockerd; then return; fi
  # Some machines let nobody make a bridge. Sandboxes have no network of the engine's anyway.
  say "dockerd did not start ($(tail -n 1 "$cache/dockerd.log" | cut -c1-200)); trying without a bridge"
  if start_dockerd --bridge=none --iptables=false; then return; fi
  complain "dockerd does not start; see $cache/dockerd.log"
  return 1
}

# Ends the engine that need_engine started, and no other.
stop_engine() {
  [ -n "$engine_pid" ] || return 0
  kill "$engine_pid" 2>/dev/null || true
  local end=$((SECONDS + 30))
  while kill -0 "$engine_pid" 2>/dev/null && [ "$SECONDS" -lt "$end" ]; do sleep 0.2; done
  engine_pid=
}

# The hosts of the index that the Python image's pip uses by itself, where they have no public address on this network.
private_index_hosts() {
  local hosts
  hosts=$(docker run --rm --network none codebox/sandbox-python:latest python3 -c \
    'from pip._internal.models.index import PyPI; print(PyPI.netloc, PyPI.file_storage_domain)' 2>/dev/null) || return 0
  python "$root/scripts/lib/index_hosts.py" $hosts
}
