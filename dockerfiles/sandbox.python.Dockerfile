# What a Python program finds in its sandbox. The server adds its agent by itself; nothing here starts.
ARG BASE_IMAGE=python:3.13-trixie
FROM ${BASE_IMAGE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates fonts-dejavu-core \
 && rm -rf /var/lib/apt/lists/*
RUN pip install --no-cache-dir numpy pandas matplotlib
CMD ["python3"]
