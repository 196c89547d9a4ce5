#!/bin/sh
# Two distributions as CPAN lays them out: one that holds C and is needed by the other.
set -eu
folder=authors/id/C/CO/CODEBOX
mkdir -p "$folder" modules
for name in Codebox-Letters Codebox-Words; do
  (cd "$name" && perl Makefile.PL && make manifest && make dist && mv "$name"-*.tar.gz "../$folder")
done
{
  printf 'File: 02packages.details.txt\nLine-Count: 2\n\n'
  for file in "$folder"/*.tar.gz; do
    name=${file##*/} version=${file##*-} version=${version%.tar.gz}
    printf '%s %s %s\n' "$(echo "${name%-*}" | sed 's/-/::/g')" "$version" "${file#authors/id/}"
  done
} | gzip >modules/02packages.details.txt.gz
rm -rf Codebox-* build.sh
