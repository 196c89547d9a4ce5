# What a Bash script finds in its sandbox: Debian's small tools for text, data and archives.
#
#   docker build -f dockerfiles/sandbox.bash.Dockerfile -t codebox/sandbox-bash:latest dockerfiles
#
# debian: ca-certificates bash bc bsdextrautils curl file gawk jq procps unzip xxd xz-utils zip
ARG BASE_IMAGE=debian:trixie-slim
FROM ${BASE_IMAGE}
RUN set -e; \
    wanted="ca-certificates bash bc bsdextrautils curl file gawk jq procps unzip xxd xz-utils zip"; \
    if ! dpkg-query -s $wanted >/dev/null 2>&1; then \
      apt-get update; \
      apt-get install -y --no-install-recommends $wanted; \
      rm -rf /var/lib/apt/lists/*; \
    fi
CMD ["bash"]
