# What a Go program finds in its sandbox: the toolchain, with the standard library built ahead.
#
#   docker build -f dockerfiles/sandbox.go.Dockerfile -t codebox/sandbox-go:latest dockerfiles
#
# debian: ca-certificates golang-go
# toolchain: go env GOVERSION | sed 's/^go/Go /'
ARG BASE_IMAGE=golang:1.26-trixie
FROM ${BASE_IMAGE}
# With what the plugin sets too: a cache of other settings is of no use. Without it a first program takes 44 s.
RUN CGO_ENABLED=0 GOTOOLCHAIN=local GOCACHE=/usr/local/share/codebox/go-build go build std \
 && chmod -R a+rX /usr/local/share/codebox
# A model reads it in the tool's description. build-image says what the base really has.
ARG TOOLCHAIN="Go 1.26"
LABEL codebox.packages="${TOOLCHAIN} with its whole standard library"
CMD ["go"]
