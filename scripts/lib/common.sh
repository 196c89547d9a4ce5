# Sourced by every script: where the project is, and how a script speaks.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cache=${CODEBOX_CACHE:-$root/.cache}
mkdir -p "$cache"

say() { printf '== %s\n' "$*" >&2; }
complain() { printf 'error: %s\n' "$*" >&2; }
die() { complain "$@"; exit 1; }

# Runs a command as root: as it is when we are root already, through sudo otherwise.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else die "\"$*\" needs root: run this script as root, or install sudo"
  fi
}

# The first Debian mirror that this machine's own apt sources name.
debian_mirror() {
  local file
  for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
    [ -r "$file" ] || continue
    awk '$1 == "URIs:" { print $2; exit }
         $1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /^https?:/) { print $i; exit } }' "$file"
  done | head -n 1
}

# The certificate bundle that this machine was told to trust, if any: a company's proxy or package index is often
# signed by a certificate of its own, and a sandbox has to trust what the machine trusts.
ca_bundle() {
  local file
  for file in "${SANDBOX_CA_BUNDLE:-}" "${SSL_CERT_FILE:-}" "${PIP_CERT:-}" "${REQUESTS_CA_BUNDLE:-}"; do
    if [ -n "$file" ] && [ -r "$file" ]; then printf '%s\n' "$file"; return; fi
  done
}

# Every script tells by --help what its head says.
for word in "$@"; do
  case "$word" in
    -h | --help) [ "$0" = bash ] || { sed -n '2,${/^#/!q;s/^# \{0,1\}//p}' "$0"; exit; } ;;
  esac
done

# Debian's own python3 where there is one: it has the venv module that install brings.
python() { if [ -x /usr/bin/python3 ]; then /usr/bin/python3 "$@"; else python3 "$@"; fi; }

# wait_for SECONDS COMMAND...: until the command succeeds.
wait_for() {
  local end=$((SECONDS + $1)); shift
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.2
  done
}
