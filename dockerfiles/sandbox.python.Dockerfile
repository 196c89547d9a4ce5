# What a Python program finds in its sandbox. The server adds its agent by itself; nothing here starts.
#
#   docker build -f dockerfiles/sandbox.python.Dockerfile -t codebox/sandbox-python:full dockerfiles
#
# BASE_IMAGE       python:3.13-trixie, or any Debian with python3 and pip (scripts/build-image --from-debian makes one)
# PYTHON_PACKAGES  instead of the whole list in sandbox.python.requirements.txt
# PIP_INDEX_URL, PIP_TRUSTED_HOST
#                  the package index to build from, and the one that programs' own packages come from later. Both stay in
#                  the image's configuration: who may pull the image may read them. Programs never see them.
# A file ca-bundle.pem beside this one names the authorities to trust while building; it is not needed later.
ARG BASE_IMAGE=python:3.13-trixie
FROM ${BASE_IMAGE}

# Pango and HarfBuzz are what weasyprint draws with; fontconfig is how it finds fonts. A base that has all of it already
# is left alone, so that it needs no Debian mirror.
RUN set -e; \
    wanted="ca-certificates fontconfig fonts-dejavu-core fonts-liberation fonts-noto-cjk \
      libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz0b libharfbuzz-subset0"; \
    if ! dpkg-query -s $wanted >/dev/null 2>&1; then \
      apt-get update; \
      apt-get install -y --no-install-recommends $wanted; \
      rm -rf /var/lib/apt/lists/*; \
    fi

# Empty ones count as absent with pip.
ARG PIP_INDEX_URL=
ARG PIP_TRUSTED_HOST=
ENV PIP_INDEX_URL=${PIP_INDEX_URL} PIP_TRUSTED_HOST=${PIP_TRUSTED_HOST}

ARG PYTHON_PACKAGES=
COPY sandbox.python.requirements.txt ca-bundle.pem* /tmp/codebox-build/
RUN set -e; \
    [ ! -e /tmp/codebox-build/ca-bundle.pem ] || export PIP_CERT=/tmp/codebox-build/ca-bundle.pem; \
    export PIP_BREAK_SYSTEM_PACKAGES=1 PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1; \
    pip install --no-cache-dir --progress-bar off --only-binary :all: \
      ${PYTHON_PACKAGES:--r /tmp/codebox-build/sandbox.python.requirements.txt}; \
    rm -rf /tmp/codebox-build

# Finding every font takes seconds, so it is done here. The Python plugin copies it to where a program's matplotlib looks.
RUN fc-cache -f \
 && MPLCONFIGDIR=/usr/local/share/codebox/matplotlib python3 -c 'import matplotlib.font_manager' \
 && chmod -R a+rX /usr/local/share/codebox

# Models read it in the description of run_python. scripts/build-image says less of the small image.
LABEL codebox.packages="numpy, pandas, polars, pyarrow, duckdb, scipy, sympy, statsmodels, scikit-learn, networkx, \
matplotlib, seaborn, plotly, pillow, imageio, opencv-python-headless, qrcode, wordcloud, openpyxl, \
xlsxwriter, xlrd, python-docx, python-pptx, pypdf, pdfplumber, pymupdf, reportlab, weasyprint, \
fpdf2, requests, httpx, beautifulsoup4, lxml, html5lib, pyyaml, tabulate, markdown, jinja2, tqdm, \
rapidfuzz"

CMD ["python3"]
