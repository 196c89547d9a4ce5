#!/bin/sh
# perl_install.sh PREFIX MODULE...: installs modules below PREFIX, with what they need and the image has not.
set -eu
prefix=$1
shift
# Only the mirror: what else cpanm asks for a name's place answers without encryption.
exec cpanm --notest --no-man-pages --mirror "${CPAN_MIRROR:-https://www.cpan.org}" --mirror-only \
  --local-lib "$prefix" "$@"
