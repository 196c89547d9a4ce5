#!/bin/sh
# debian_packages.sh PREFIX PACKAGE...: downloads Debian packages, with those that they need and the image lacks, and
# unpacks them below PREFIX. It needs no root: nothing is configured and no script of a package runs.
set -eu
prefix=$1
shift
mkdir -p "${TMPDIR:-/tmp}"
work=$(mktemp -d)
mkdir -p "$work/lists/partial" "$work/archives/partial"
apt() {
  apt-get -q -o Debug::NoLocking=1 -o APT::Sandbox::User= -o Dir::State::lists="$work/lists" \
    -o Dir::Cache="$work" -o Dir::Cache::archives="$work/archives" -o Acquire::Languages=none \
    -o Acquire::GzipIndexes=true -o APT::Install-Recommends=false -o Dpkg::Use-Pty=0 "$@"
}
apt update >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }
apt install -y --download-only --no-remove -- "$@"
# Not straight into PREFIX, which belongs to another user: an archive sets the mode of its top folder.
mkdir "$work/root"
for archive in "$work"/archives/*.deb; do
  [ -e "$archive" ] || break
  dpkg-deb -x "$archive" "$work/root"
done
if [ -n "$(ls "$work/root")" ]; then mv "$work/root"/* "$prefix"; fi
rm -rf "$work"
