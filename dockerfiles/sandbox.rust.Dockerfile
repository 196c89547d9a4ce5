# What a Rust program finds in its sandbox: compiler and cargo, a linker, and what crates for TLS are linked with.
#
#   docker build -f dockerfiles/sandbox.rust.Dockerfile -t codebox/sandbox-rust:latest dockerfiles
#
# debian: ca-certificates cargo rustc pkgconf libssl-dev
ARG BASE_IMAGE=rust:1.95-trixie
FROM ${BASE_IMAGE}
CMD ["rustc"]
