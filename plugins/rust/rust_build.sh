#!/bin/sh
# rust_build.sh SOURCE PREFIX PROGRAM: compiles SOURCE with the crates below PREFIX.
set -eu
cd "$(dirname "$1")"
crates=$2/rustc
[ -e "$crates" ] || crates=/dev/null
exec rustc --edition=2021 -C opt-level=2 -C strip=debuginfo "@$crates" -o "$3" "$(basename "$1")"
