#!/bin/sh
# go_build.sh FOLDER PREFIX PROGRAM: builds the program in FOLDER with the modules below PREFIX.
set -eu
seed=/usr/local/share/codebox/go-build
cd "$1"
# Links into read-only caches: Go has to write beside what it reads.
mkdir -p "$GOCACHE"
for cache in "$seed" "$2/cache"; do
  [ ! -d "$cache" ] || cp -rs "$cache/." "$GOCACHE"
done
own=
clean_up() { rm -rf $own .codebox-build; }
trap clean_up EXIT
if [ ! -e go.mod ]; then
  own='go.mod go.sum'
  if [ -e "$2/module/go.mod" ]; then cp "$2/module/go.mod" .; else go mod init sandbox 2>/dev/null; fi
  [ ! -e "$2/module/go.sum" ] || cp "$2/module/go.sum" .
fi
mkdir .codebox-build
GOTMPDIR=$PWD/.codebox-build go build -ldflags=-s -o "$3" .
