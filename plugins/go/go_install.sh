#!/bin/sh
# go_install.sh PREFIX MODULE...: downloads modules below PREFIX and builds what they hold ahead of the program.
set -eu
prefix=$1
shift
seed=/usr/local/share/codebox/go-build
mkdir -p "$prefix/module" "$GOCACHE" "$GOTMPDIR"
[ ! -d "$seed" ] || cp -rs "$seed/." "$GOCACHE"
cd "$prefix/module"
go mod init sandbox 2>/dev/null
go get -- "$@"
# Sums of what the modules' packages need, also of packages that nobody named. Some of a module may not build.
patterns=$(for module; do printf '%s/... ' "${module%%@*}"; done)
go list -mod=mod -e -deps $patterns >/dev/null
go build -- $(for module; do printf '%s ' "${module%%@*}"; done) 2>/dev/null || true
# What stays has to be plain files, and no program needs the archives that they came in.
find "$GOCACHE" -type l -delete
find "$GOMODCACHE" -name '*.zip' -delete
