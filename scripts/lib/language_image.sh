# Sourced by build-image: the images of the languages but Python, each driven by its Dockerfile alone. The line
# "# debian: PACKAGE..." of one names what stands in for its base image where no registry gives that, and "# toolchain:
# COMMAND" prints what its description says of the compiler. Needs common.sh, engine.sh and from_packages of build-image.
languages() {
  local file
  for file in "$root"/dockerfiles/sandbox.*.Dockerfile; do
    file=${file##*/sandbox.}
    [ "$file" = python.Dockerfile ] || printf '%s\n' "${file%.Dockerfile}"
  done
}

# Debian alone, which the stand-ins share.
debian_base() {
  docker image inspect codebox/debian:trixie >/dev/null 2>&1 && return
  say "making codebox/debian:trixie from Debian's packages"
  from_packages ca-certificates codebox/debian:trixie
}

# language_images LANGUAGE...: all of them, also where one fails.
language_images() {
  local language failed=()
  for language in "$@"; do
    language_image "$language" || failed+=("$language")
  done
  [ ${#failed[@]} = 0 ] || die "no image for ${failed[*]}; see $cache/image-LANGUAGE.log"
}

language_image() {
  local language=$1 image=codebox/sandbox-$1:latest dockerfile=$root/dockerfiles/sandbox.$1.Dockerfile base recipe
  local log=$cache/image-$language.log context toolchain=
  recipe=$(cat "$root/dockerfiles/sandbox.$language".* | sha256sum | cut -c1-16)
  if [ "$(docker image inspect -f '{{index .Config.Labels "codebox.recipe"}}' "$image" 2>/dev/null)" = "$recipe" ]; then
    say "$image is there"
    return
  fi
  base=${BASE_IMAGE:-$(sed -n 's/^ARG BASE_IMAGE=//p' "$dockerfile")}
  if $from_debian || ! { docker image inspect "$base" >/dev/null 2>&1 || timeout 600 docker pull -q "$base" >/dev/null 2>&1; }; then
    debian_base || return
    base=codebox/debian-$language:latest
    say "making $base from Debian's packages"
    docker build --network host --force-rm -t "$base" - >"$log" 2>&1 <<EOF || { complain "$base could not be built; see $log"; return 1; }
FROM codebox/debian:trixie
RUN mkdir -p /usr/share/man/man1 && apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    -o Dpkg::Options::=--force-unsafe-io $(sed -n 's/^# debian: //p' "$dockerfile" | paste -sd ' ') \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/cache/apt/archives/*.deb
EOF
  fi
  say "building $image from $base"
  if grep -q '^# toolchain: ' "$dockerfile"; then
    toolchain=$(docker run --rm --network none --entrypoint sh "$base" -c "$(sed -n 's/^# toolchain: //p' "$dockerfile")" 2>>"$log") || toolchain=
  fi
  context=$(mktemp -d)
  cp "$root/dockerfiles/sandbox.$language."* "$context"
  local bundle; bundle=$(ca_bundle)
  [ -z "$bundle" ] || cp "$bundle" "$context/ca-bundle.pem"
  docker build --network host --force-rm --build-arg "BASE_IMAGE=$base" ${toolchain:+--build-arg "TOOLCHAIN=$toolchain"} --label "codebox.recipe=$recipe" -t "$image" \
    -f "$context/sandbox.$language.Dockerfile" "$context" >>"$log" 2>&1 || { complain "$image could not be built; see $log"; return 1; }
  rm -rf "$context"
  say "built $image"
}
