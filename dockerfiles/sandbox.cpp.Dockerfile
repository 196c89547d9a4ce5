# What C and C++ programs find in their sandbox: GCC, and some libraries that programs often ask for.
#
#   docker build -f dockerfiles/sandbox.cpp.Dockerfile -t codebox/sandbox-cpp:latest dockerfiles
#
# debian: ca-certificates g++ gcc libc6-dev pkgconf libeigen3-dev libfmt-dev libgmp-dev nlohmann-json3-dev zlib1g-dev
# toolchain: g++ -dumpfullversion | sed 's/^/GCC /'
ARG BASE_IMAGE=gcc:15-trixie
FROM ${BASE_IMAGE}
RUN set -e; \
    wanted="ca-certificates pkgconf libeigen3-dev libfmt-dev libgmp-dev nlohmann-json3-dev zlib1g-dev"; \
    if ! dpkg-query -s $wanted >/dev/null 2>&1; then \
      apt-get update; \
      apt-get install -y --no-install-recommends $wanted; \
      rm -rf /var/lib/apt/lists/*; \
    fi
# A model reads it in the tool's description. build-image says what the base really has.
ARG TOOLCHAIN="GCC 15"
LABEL codebox.packages="${TOOLCHAIN}, Eigen, fmt, GMP, nlohmann/json, zlib, pkg-config"
CMD ["g++"]
