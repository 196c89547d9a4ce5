# Sourced by scripts/test: one function a suite. Each prints as it goes, a line "FAILED: name" for every test that
# failed, and closes with a line "N passed, N failed, N skipped". Each runs in a subshell of its own, where set -e does
# not hold, since scripts/test looks at how it ends.

skip_suite() {
  echo "SKIPPED: $1"
  echo "0 passed, 0 failed, 1 skipped"
}

# process_start PID: when it started, in the kernel's ticks; nothing where there is no such process.
process_start() { awk '{ print $22 }' "/proc/$1/stat" 2>/dev/null || true; }

# The name of a run of this script. Every server of a test begins its instance's name with it, which each of its sandboxes
# carries as a label. It tells other runs whether this one still goes on, as far as they see its process.
run_name() { echo "test-$(stat -Lc %i /proc/self/ns/pid)-$$-$(process_start $$)"; }

# Removes the sandboxes that tests of this run left, or of one that was killed. Those of other servers on the engine, and of
# other runs that go on, are none of ours.
remove_left_sandboxes() {
  local id instance word space pid start left=()
  while read -r id instance; do
    IFS=- read -r word space pid start _ <<<"$instance"
    [ "$word" = test ] && [ "$space" = "$(stat -Lc %i /proc/self/ns/pid)" ] || continue
    if [[ "$instance" == "$CODEBOX_TEST_RUN"-* ]] || [ "$(process_start "$pid")" != "$start" ]; then left+=("$id"); fi
  done < <(docker ps -a --no-trunc --filter label=codebox.instance \
    --format '{{.ID}} {{.Label "codebox.instance"}}' 2>/dev/null)
  [ ${#left[@]} != 0 ] || return 0
  say "removing sandboxes that tests left: ${#left[@]}"
  docker rm -fv "${left[@]}" >/dev/null 2>&1 || true
}

build_preset() { "$root/scripts/build" "$1"; }

# ctest_suite PRESET CTEST-OPTION...
ctest_suite() {
  build_preset "$1" || return
  python "$root/scripts/lib/ctest_suite.py" "$root/build/$1" "${@:2}"
}

# The Python image, and what its package index needs on this network.
python_image() {
  "$root/scripts/build-image" python || return
  if [ -z "${SANDBOX_ALLOWED_HOSTS:-}" ]; then
    SANDBOX_ALLOWED_HOSTS=$(private_index_hosts)
    export SANDBOX_ALLOWED_HOSTS
  fi
}

# box_suite SCRIPT PRESET [OPTION...]: a suite of Python's that starts the server of a preset itself.
box_suite() {
  build_preset "$2" || return
  [ -x "$root/build/$2/bin/codebox" ] || { skip_suite "build/$2/bin/codebox was not built"; return; }
  local image=codebox/sandbox-python:latest
  if ! engine_running || ! python_image; then image=; fi
  python "$root/$1" --codebox "$root/build/$2/bin/codebox" ${image:+--image "$image"} "${@:3}"
}

suite_unit() { ctest_suite dev -LE 'engine|sdk'; }
# The contract of plugins: what CMake tests of it, then what authors and operators meet.
suite_sdk() {
  counted contract ctest_suite dev -L sdk
  counted plugins box_suite tests/plugins/run.py dev
  echo "$total_passed passed, $total_failed failed, $total_skipped skipped"
}
suite_engine() {
  engine_running || { skip_suite "no container engine runs"; return; }
  python_image || { skip_suite "the Python image could not be built"; return; }
  ctest_suite dev -L engine
}
suite_cases() {
  engine_running || { skip_suite "no container engine runs"; return; }
  box_suite tests/cases/run.py dev
}
# Dialogues as models really have them.
suite_dialogues() {
  engine_running || { skip_suite "no container engine runs"; return; }
  box_suite tests/dialogues/run.py dev
}
# Every language answers the same questions, on Docker and on Podman. One without an image is skipped.
suite_languages() {
  engine_running || { skip_suite "no container engine runs"; return; }
  build_preset dev || return
  python_image || true
  "$root/scripts/build-image" languages || true
  local run=(python "$root/tests/languages/run.py" --codebox "$root/build/dev/bin/codebox")
  counted "languages on Docker" "${run[@]}"
  if [ "$(id -u)" = 0 ] && command -v podman >/dev/null; then
    . "$root/scripts/lib/podman.sh"
    trap stop_podman EXIT
    podman_settings
    language_images_to_podman
    counted "languages on Podman" CONTAINER_BACKEND=podman "${run[@]}" --engine podman
  else
    echo "SKIPPED: languages on Podman: needs Podman, as root"
    total_skipped=$((total_skipped + 1))
  fi
  echo "$total_passed passed, $total_failed failed, $total_skipped skipped"
}
# Hostile programs on Docker, on gVisor where Docker knows it (a dockerd that scripts/test starts does), and on Podman.
suite_adversarial() {
  engine_running || { skip_suite "no container engine runs"; return; }
  counted "adversarial on Docker" box_suite tests/adversarial/run.py dev
  if [ "$(id -u)" = 0 ] && command -v podman >/dev/null; then
    . "$root/scripts/lib/podman.sh"
    trap stop_podman EXIT
    podman_settings
    podman_image
    counted "adversarial on Podman" CONTAINER_BACKEND=podman python "$root/tests/adversarial/run.py" --engine podman \
      --only escapes,races,liars,neighbours,disk,floods --codebox "$root/build/dev/bin/codebox" \
      --image codebox/sandbox-python:latest
  else
    echo "SKIPPED: adversarial on Podman: needs Podman, as root"
    total_skipped=$((total_skipped + 1))
  fi
  echo "$total_passed passed, $total_failed failed, $total_skipped skipped"
}
# The engine room on a Podman service, and the cases on the Podman that the server starts by itself. Without --all the
# cases are those that touch an engine's ways; the others do not differ.
suite_podman() {
  command -v podman >/dev/null || { skip_suite "podman is not installed"; return; }
  [ "$(id -u)" = 0 ] || { skip_suite "the tests need a rootful Podman"; return; }
  engine_running || { skip_suite "no container engine runs to take the Python image from"; return; }
  build_preset dev || return
  python_image || { skip_suite "the Python image could not be built"; return; }
  . "$root/scripts/lib/podman.sh"
  trap stop_podman EXIT
  podman_settings
  if ! podman_image || ! start_podman; then
    tail -n 5 "$podman_home/podman.log"
    echo "FAILED: Podman does not start here"
    echo "0 passed, 1 failed, 0 skipped"
    return 1
  fi
  local some=(-k Killed -k Limits -k Embedded -k Rootless -k Pulling -k Remote -k Ends -k Layers -k case_output -k case_disk \
    -k case_local)
  if [ -n "${CODEBOX_TEST_ALL:-}" ]; then some=(); fi
  counted engine CONTAINER_HOST="unix://$podman_home/podman.sock" ctest_suite dev -L engine
  counted cases CONTAINER_BACKEND=podman python "$root/tests/cases/run.py" --engine podman \
    --codebox "$root/build/dev/bin/codebox" --image codebox/sandbox-python:latest "${some[@]}"
  echo "$total_passed passed, $total_failed failed, $total_skipped skipped"
}

total_passed=0 total_failed=0 total_skipped=0
# counted NAME [VARIABLE=VALUE...] COMMAND...: runs it, and adds its line of counts to the totals.
counted() {
  local name=$1 log counts a b c
  shift
  log=$(mktemp)
  ( while [[ "$1" == *=* ]]; do export "${1?}"; shift; done; "$@" ) | tee "$log" | grep -av --line-buffered '^[0-9]* passed, '
  counts=$(grep -aE '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log" | tail -n 1)
  rm -f "$log"
  if [ -z "$counts" ]; then
    echo "FAILED: $name did not finish"
    counts='0 passed, 1 failed, 0 skipped'
  fi
  read -r a _ b _ c _ <<<"$counts"
  total_passed=$((total_passed + a)) total_failed=$((total_failed + b)) total_skipped=$((total_skipped + c))
}

suite_mcp() { box_suite tests/mcp/run.py dev; }
suite_openwebui() {
  [ -e "$root/tests/openwebui/run.py" ] || { skip_suite "tests/openwebui/run.py is not there"; return; }
  engine_running || { skip_suite "no container engine runs"; return; }
  build_preset dev || return
  python_image || { skip_suite "the Python image could not be built"; return; }
  CODEBOX_BINARY=$root/build/dev/bin/codebox PLUGIN_DIR=$root/build/dev/plugins \
    SANDBOX_IMAGE_PYTHON=codebox/sandbox-python:latest python "$root/tests/openwebui/run.py"
}

# sanitized PRESET: unit tests and protocol tests under a sanitizer, counted together.
sanitized() {
  export CODEBOX_SANITIZED=$1
  export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=exitcode=66:history_size=7:suppressions=$root/tests/tsan.supp
  local part log counts p=0 f=0 s=0 a b c
  log=$(mktemp)
  for part in unit mcp; do
    if [ "$part" = unit ]; then ctest_suite "$1" -LE 'engine|sdk'; else box_suite tests/mcp/run.py "$1"; fi |
      tee "$log" | grep -av --line-buffered '^[0-9]* passed, '
    counts=$(grep -aE '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log" | tail -n 1)
    if [ -z "$counts" ]; then
      echo "FAILED: the $part tests under $1 did not finish"
      counts='0 passed, 1 failed, 0 skipped'
    fi
    read -r a _ b _ c _ <<<"$counts"
    p=$((p + a)) f=$((f + b)) s=$((s + c))
  done
  rm -f "$log"
  echo "$p passed, $f failed, $s skipped"
}
suite_asan() { sanitized asan; }
suite_tsan() { sanitized tsan; }

# CPython's own tests as programs of calls, in fresh and in preloaded interpreters; with --all many more of them.
suite_cpython() {
  engine_running || { skip_suite "no container engine runs"; return; }
  box_suite tests/cpython/run.py dev ${CODEBOX_TEST_ALL:+--all}
}

# The prebuilt image. Building it downloads half a gigabyte of packages, so it has to be there or asked for.
suite_image() {
  engine_running || { skip_suite "no container engine runs"; return; }
  local image=${CODEBOX_FULL_IMAGE:-}
  if [ -z "$image" ]; then
    if [ -z "${CODEBOX_TEST_ALL:-}" ]; then
      skip_suite "needs --all, which builds the prebuilt image, or CODEBOX_FULL_IMAGE, which names one"
      return
    fi
    "$root/scripts/build-image" python --full || { skip_suite "the prebuilt image could not be built"; return; }
    image=codebox/sandbox-python:full
  fi
  build_preset dev || return
  python "$root/tests/image/run.py" --codebox "$root/build/dev/bin/codebox" --image "$image"
}

suite_deploy() {
  build_preset dev || return
  local image=codebox/sandbox-python:latest
  if ! engine_running || ! python_image; then image=; fi
  python "$root/tests/deploy/run.py" --build "$root/build/dev" ${image:+--image "$image"}
}
suite_docs() { python "$root/scripts/lib/check_docs.py" "$root"; }
