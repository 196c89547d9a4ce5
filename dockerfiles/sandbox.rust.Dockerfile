# What a Rust program finds in its sandbox: compiler and cargo, a linker, and what crates for TLS are linked with.
#
#   docker build -f dockerfiles/sandbox.rust.Dockerfile -t codebox/sandbox-rust:latest dockerfiles
#
# debian: ca-certificates cargo rustc pkgconf libssl-dev
# toolchain: rustc --version | cut -d' ' -f1,2
ARG BASE_IMAGE=rust:1.95-trixie
FROM ${BASE_IMAGE}
# A model reads it in the tool's description. build-image says what the base really has.
ARG TOOLCHAIN="rustc 1.95"
LABEL codebox.packages="${TOOLCHAIN}, cargo, the standard library, headers of OpenSSL"
CMD ["rustc"]
