# Sourced: a Podman for tests, with storage of this checkout's own, and the Python image in it. Needs common.sh and a
# running Docker engine to take the image from.
podman_home=/var/tmp/codebox-podman-$(printf %s "$root" | cksum | cut -d' ' -f1)
podman_pid=

# The settings of all that uses this Podman, also of the one that the server starts by itself.
podman_settings() {
  mkdir -p "$podman_home/cwd"
  printf '[storage]\ndriver = "overlay"\ngraphroot = "%s/root"\nrunroot = "%s/run"\n' "$podman_home" "$podman_home" \
    >"$podman_home/storage.conf"
  local runtime=
  if [ ! -e /sys/fs/cgroup/cgroup.controllers ] && command -v runc >/dev/null; then runtime='runtime = "runc"'; fi
  printf '%s\n' '[containers]' 'default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]' '[engine]' \
    'cgroup_manager = "cgroupfs"' 'events_logger = "file"' 'compat_api_enforce_docker_hub = false' "$runtime" \
    >"$podman_home/containers.conf"
  export CONTAINERS_STORAGE_CONF=$podman_home/storage.conf CONTAINERS_CONF=$podman_home/containers.conf
}

podman_running() {
  curl -fs -o /dev/null --max-time 5 --unix-socket "$podman_home/podman.sock" http://engine/_ping 2>/dev/null
}

# Podman's service, as a distribution's podman.socket would offer it. conmon leaves a file "oom" where it is started.
start_podman() {
  rm -f "$podman_home/podman.sock"
  (cd "$podman_home/cwd" && exec podman system service --time=0 "unix://$podman_home/podman.sock") \
    >"$podman_home/podman.log" 2>&1 </dev/null &
  podman_pid=$!
  wait_for 60 podman_running
}

# Ends what start_podman started, and removes all that this Podman holds but the images' layers.
stop_podman() {
  podman rm -af -t 0 >/dev/null 2>&1 || true
  if [ -n "$podman_pid" ]; then kill "$podman_pid" 2>/dev/null || true; wait "$podman_pid" 2>/dev/null || true; fi
  podman_pid=
  umount -l "$podman_home/root/overlay" 2>/dev/null || true
  rm -rf "$podman_home"
}

# The images of all languages, from Docker's store. They share layers, which one archive holds once.
language_images_to_podman() {
  local images
  mapfile -t images < <(docker image ls --format '{{.Repository}}:{{.Tag}}' --filter 'reference=codebox/sandbox-*:latest')
  docker save "${images[@]}" | podman load -q >/dev/null
}

# The Python image, from Docker's store.
podman_image() {
  docker save codebox/sandbox-python:latest | podman load -q >/dev/null
}
