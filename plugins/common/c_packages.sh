#!/bin/sh
# c_packages.sh SUPPORT PREFIX PACKAGE...: installs Debian packages for compilers. The links among their files become
# files, because the packages are kept for later calls as plain files only.
set -eu
support=$1 prefix=$2
shift
sh "$support/debian_packages.sh" "$@"
rm -rf "$prefix"/usr/share/doc "$prefix"/usr/share/man "$prefix"/usr/share/locale
find "$prefix" -path "$prefix/.tmp" -prune -o -type l -print | while read -r link; do
  target=$(readlink "$link")
  case "$target" in /*) target=$prefix$target ;; *) target=${link%/*}/$target ;; esac
  target=$(readlink -f "$target") || target=
  rm -f "$link"
  if [ -f "$target" ]; then
    case "$target" in "$prefix"/*) ln "$target" "$link" ;; *) cp "$target" "$link" ;; esac
  elif [ -d "$target" ]; then
    case "$target" in "$prefix"/*) cp -r "$target" "$link" ;; esac
  fi
done
