# What a TypeScript program finds in its sandbox: Node, and esbuild, which drops the types. Packages that every program
# shall have go into /node_modules.
#
#   docker build -f dockerfiles/sandbox.typescript.Dockerfile -t codebox/sandbox-typescript:latest dockerfiles
#
# debian: ca-certificates nodejs npm esbuild
ARG BASE_IMAGE=node:24-trixie-slim
FROM ${BASE_IMAGE}
RUN command -v esbuild || npm install -g esbuild@0.25
CMD ["node"]
