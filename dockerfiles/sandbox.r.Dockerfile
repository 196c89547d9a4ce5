# What an R program finds in its sandbox: R, the packages below, fonts for plots, and compilers for more packages.
#
#   docker build -f dockerfiles/sandbox.r.Dockerfile -t codebox/sandbox-r:latest dockerfiles
#
# A file ca-bundle.pem beside this one names the authorities to trust while building; it is not needed later.
# debian: ca-certificates r-base-core r-recommended g++ gfortran liblapack-dev make fonts-dejavu-core fonts-liberation
# debian: fonts-wqy-microhei r-cran-data.table r-cran-dplyr r-cran-forcats r-cran-ggplot2 r-cran-jsonlite r-cran-lubridate
# debian: r-cran-purrr r-cran-readr r-cran-readxl r-cran-scales r-cran-stringr r-cran-tibble r-cran-tidyr
ARG BASE_IMAGE=rocker/r-ver:4.5
FROM ${BASE_IMAGE}
RUN set -e; \
    wanted="ca-certificates fontconfig fonts-dejavu-core fonts-liberation fonts-wqy-microhei"; \
    if ! dpkg-query -s $wanted >/dev/null 2>&1; then \
      apt-get update; \
      apt-get install -y --no-install-recommends $wanted; \
      rm -rf /var/lib/apt/lists/*; \
    fi; \
    fc-cache -f
COPY sandbox.r.Dockerfile ca-bundle.pem* /tmp/codebox-build/
# Packages that a base has already are left alone, so that one with all of them needs no CRAN.
RUN set -e; \
    [ ! -e /tmp/codebox-build/ca-bundle.pem ] || export CURL_CA_BUNDLE=/tmp/codebox-build/ca-bundle.pem; \
    Rscript -e 'wanted <- c("data.table", "dplyr", "forcats", "ggplot2", "jsonlite", "lattice", "lubridate", "MASS", \
        "Matrix", "purrr", "readr", "readxl", "scales", "stringr", "survival", "tibble", "tidyr")' \
      -e 'missing <- function() setdiff(wanted, rownames(installed.packages()))' \
      -e 'if (identical(getOption("repos")[["CRAN"]], "@CRAN@")) options(repos = "https://cloud.r-project.org")' \
      -e 'if (length(missing())) install.packages(missing())' \
      -e 'if (length(missing())) stop("not installed: ", toString(missing()))'; \
    rm -rf /tmp/codebox-build
LABEL codebox.packages="ggplot2, lattice, dplyr, tidyr, readr, readxl, purrr, tibble, stringr, forcats, lubridate, \
data.table, jsonlite, scales, MASS, Matrix, survival, nlme, mgcv and R's other recommended packages"
CMD ["R"]
