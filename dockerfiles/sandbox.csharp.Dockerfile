# What a C# program finds in its sandbox: Mono, its compiler and its class library.
#
#   docker build -f dockerfiles/sandbox.csharp.Dockerfile -t codebox/sandbox-csharp:latest dockerfiles
#
# debian: ca-certificates mono-mcs mono-runtime libmono-system-core4.0-cil libmono-system-numerics4.0-cil
# debian: libmono-system-numerics-vectors4.0-cil libmono-system-xml-linq4.0-cil libmono-system-net-http4.0-cil
# debian: libmono-system-data4.0-cil libmono-system-data-datasetextensions4.0-cil libmono-system-json4.0-cil
# debian: libmono-system-runtime-serialization4.0-cil libmono-system-io-compression4.0-cil
# debian: libmono-system-io-compression-filesystem4.0-cil libmono-system-web-extensions4.0-cil
# debian: libmono-microsoft-csharp4.0-cil
# toolchain: mono --version | sed -n '1s/^Mono JIT compiler version \([0-9.]*\).*/Mono \1/p'
ARG BASE_IMAGE=mono:6.12
FROM ${BASE_IMAGE}
# Compiled ahead, the compiler starts in half the time.
RUN mono --aot -O=all /usr/lib/mono/4.5/mcs.exe >/dev/null || true
# A model reads it in the tool's description. build-image says what the base really has.
ARG TOOLCHAIN="Mono 6.12"
LABEL codebox.packages="${TOOLCHAIN} with its mcs (C# 7), System.Linq, Numerics, Xml.Linq, Json, Net.Http, Data, IO.Compression"
CMD ["mono"]
