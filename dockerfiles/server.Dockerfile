# The server: codebox, its agent and its plugins on Debian 13, without a compiler.
#
#   docker build -f dockerfiles/server.Dockerfile -t codebox/server:latest .
#
# It starts as root, which is the launcher's alone (it opens the engine's socket); what talks to clients runs as
# SERVER_USER. docs/operators.md tells how to run it.
ARG BASE_IMAGE=debian:trixie-slim

FROM ${BASE_IMAGE} AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends cmake g++ libarchive-dev libboost-dev libboost-filesystem-dev \
      libcli11-dev libpoco-dev libspdlog-dev libssl-dev ninja-build nlohmann-json3-dev \
 && rm -rf /var/lib/apt/lists/*
COPY . /src
WORKDIR /src
ARG JOBS=
RUN cmake --preset release -DCMAKE_INSTALL_PREFIX=/usr/local \
 && cmake --build --preset release ${JOBS:+-j "$JOBS"} \
 && for part in server plugins; do DESTDIR=/out cmake --install build/release --strip --component "$part" || exit 1; done
# The packages that hold the libraries which the program was linked with, so that the list is never out of step.
RUN ldd /out/usr/local/bin/codebox | awk '$3 ~ "^/" { print $3 }' | xargs -n 1 realpath | xargs -n 1 dpkg-query -S \
  | cut -d: -f1 | sort -u >/out/usr/local/share/codebox/packages

FROM ${BASE_IMAGE}
COPY --from=build /out/ /
RUN apt-get update \
 && xargs apt-get install -y --no-install-recommends ca-certificates </usr/local/share/codebox/packages \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* \
 && useradd --system --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin codebox \
 && install -d -m 700 -o codebox -g codebox /var/lib/codebox
ENV SERVER_USER=codebox STATE_DIR=/var/lib/codebox
VOLUME /var/lib/codebox
EXPOSE 8000
# bash alone, for want of curl; with TLS an open port has to do.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${PORT:-8000}; [ -z \"$TLS_CERT\" ] || exit 0; printf 'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3; grep -q ' 200 ' <&3"]
ENTRYPOINT ["codebox"]
CMD ["serve"]
