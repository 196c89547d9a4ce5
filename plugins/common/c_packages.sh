#!/bin/sh
# c_packages.sh SUPPORT PREFIX PACKAGE...: installs Debian packages for compilers. The links among their files become
# files, because the packages are kept for later calls as plain files only.
set -eu
support=$1 prefix=$2
shift
sh "$support/debian_packages.sh" "$@"
rm -rf "$prefix"/usr/share/doc "$prefix"/usr/share/man "$prefix"/usr/share/locale
find "$prefix" -path "$prefix/.tmp" -prune -o -type l -print | while read -r link; do
  target=$(readlink "$link") folder=${link%/*}
  case "$target" in /*) ;; *) target=${folder#"$prefix"}/$target ;; esac
  rm -f "$link"
  # A package that the image has already was not downloaded: what a link means then lies there.
  for root in "$prefix" ''; do
    found=$(readlink -f "$root$target") || continue
    if [ -f "$found" ]; then
      ln "$found" "$link" 2>/dev/null || cp "$found" "$link"
      break
    elif [ -d "$found" ] && [ -n "$root" ]; then
      cp -r "$found" "$link"
      break
    fi
  done
done
