#!/bin/sh
# php_install.sh PREFIX PACKAGE...: installs Composer packages into PREFIX/vendor, and runs none of their code. A package is
# vendor/name, vendor/name:^3, or vendor/name@3.1 (the newest that begins so).
set -eu
prefix=$1
shift
for package; do
  shift
  name=${package%%[:@=^~<>*,]*} version=${package#"${package%%[:@=^~<>*,]*}"}
  case "$name" in
    */*/* | /* | */) bad=1 ;;
    [A-Za-z0-9]*/[A-Za-z0-9]* | ext-*) bad= ;;
    *) bad=1 ;;
  esac
  if [ -n "$bad" ]; then
    echo "$package is no Composer package: write vendor/name, or a version too, as in monolog/monolog:^3." >&2
    exit 1
  fi
  case "$version" in [:@]*) version=${version#?} ;; ==*) version=${version#==} ;; =*) version=${version#=} ;; esac
  # A version of one or two numbers means the newest that begins so: to Composer it would be just 3.0.0.
  if printf %s "$version" | grep -Eqx '[0-9]+(\.[0-9]+)?'; then version=$version.*; fi
  set -- "$@" "$(printf %s "$name" | tr A-Z a-z)${version:+:$version}"
done
mkdir -p "$COMPOSER_HOME"
cd "$prefix"
printf '{}' >composer.json
if [ -n "${PACKAGIST_URL:-}" ]; then
  case "$PACKAGIST_URL" in http://*) composer config -q secure-http false ;; esac
  composer config -q repos.packagist composer "${PACKAGIST_URL%/}"
fi
# Its own usage is nothing that a caller could use, and it would break names at the end of a line.
log=$COMPOSER_HOME/log
if ! COLUMNS=400 composer require --no-interaction --no-ansi --no-progress --no-plugins --no-scripts --no-audit \
  --prefer-dist --update-no-dev -- "$@" >"$log" 2>&1; then
  grep -v '^require \[--dev\]' "$log" >&2
  exit 1
fi
# Programs are run by PHP itself, and what stays has to be plain files.
rm -rf vendor/bin
find vendor -type l -delete
