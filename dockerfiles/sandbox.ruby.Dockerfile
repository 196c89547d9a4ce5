# What a Ruby program finds in its sandbox: Ruby with the gems that come with it, and what gems in C are compiled with.
#
#   docker build -f dockerfiles/sandbox.ruby.Dockerfile -t codebox/sandbox-ruby:latest dockerfiles
#
# Debian's Ruby and not the newer one of ruby:3.4, whose parser has read the program before its process could wait for it.
# On such a base programs run all the same, each in a Ruby that starts with the call.
#
# debian: ca-certificates gcc g++ libc6-dev libyaml-dev make pkgconf ruby ruby-dev
ARG BASE_IMAGE=debian:trixie-slim
FROM ${BASE_IMAGE}
RUN set -e; \
    wanted="ca-certificates gcc g++ libc6-dev libyaml-dev make pkgconf"; \
    command -v ruby >/dev/null || wanted="$wanted ruby ruby-dev"; \
    if ! dpkg-query -s $wanted >/dev/null 2>&1; then \
      apt-get update; \
      apt-get install -y --no-install-recommends $wanted; \
      rm -rf /var/lib/apt/lists/*; \
    fi
LABEL codebox.packages="Ruby with its standard library and bundled gems, a C compiler for gems"
CMD ["ruby"]
