#!/bin/sh
# c_build.sh FOLDER PREFIX PROGRAM COMPILER ARGUMENT...: compiles the sources in FOLDER with the Debian packages below
# PREFIX. Their headers are found, and the program is linked with those of their libraries that it uses.
set -eu
cd "$1"
prefix=$2 program=$3
shift 3
headers= folders= libraries=
if [ -d "$prefix/usr" ]; then
  for folder in "$prefix"/usr/include "$prefix"/usr/include/*-linux-gnu*; do
    [ ! -d "$folder" ] || headers="$headers -isystem $folder"
  done
  PKG_CONFIG_SYSROOT_DIR=$prefix PKG_CONFIG_PATH=$prefix/usr/share/pkgconfig
  for folder in "$prefix"/usr/lib/*-linux-gnu*/pkgconfig; do PKG_CONFIG_PATH=$PKG_CONFIG_PATH:$folder; done
  export PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_PATH
  for file in "$prefix"/usr/share/pkgconfig/*.pc "$prefix"/usr/lib/*/pkgconfig/*.pc; do
    [ -e "$file" ] || continue
    file=${file##*/}
    found=$(pkg-config --cflags-only-I "${file%.pc}" 2>/dev/null) || continue
    headers="$headers $(printf %s "$found" | sed 's/-I/-isystem /g')"
  done
  for file in $(find "$prefix"/usr/lib "$prefix"/lib -name 'lib*.so' 2>/dev/null); do
    folder=${file%/*} name=${file##*/lib}
    case " $folders " in *" -L$folder "*) ;; *) folders="$folders -L$folder -Wl,-rpath,$folder,-rpath-link,$folder" ;; esac
    libraries="$libraries -l${name%.so}"
  done
fi
compiler=$1
shift
sources=
for suffix in $SUFFIXES; do
  for file in *."$suffix"; do [ ! -e "$file" ] || sources="$sources ./$file"; done
done
exec "$compiler" "$@" $headers -o "$program" $sources $folders -Wl,--disable-new-dtags,--as-needed $libraries \
  $(pkg-config --libs $IMAGE_LIBRARIES 2>/dev/null) -lm
