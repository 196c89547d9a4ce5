# What a JavaScript program finds in its sandbox. Packages that every program shall have go into /node_modules.
#
#   docker build -f dockerfiles/sandbox.javascript.Dockerfile -t codebox/sandbox-javascript:latest dockerfiles
#
# The list below is also that of TypeScript, so that the two share it.
# debian: ca-certificates nodejs npm esbuild
ARG BASE_IMAGE=node:24-trixie-slim
FROM ${BASE_IMAGE}
CMD ["node"]
