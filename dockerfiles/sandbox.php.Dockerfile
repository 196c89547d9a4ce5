# What a PHP program finds in its sandbox: PHP with the usual extensions, and Composer.
#
#   docker build -f dockerfiles/sandbox.php.Dockerfile -t codebox/sandbox-php:latest dockerfiles
#
# debian: ca-certificates composer php-bcmath php-cli php-curl php-gd php-intl php-mbstring php-sqlite3 php-xml php-zip unzip
ARG BASE_IMAGE=php:8.4-cli-trixie
FROM ${BASE_IMAGE}
# The official image compiles extensions itself. Composer comes from its makers, who publish its sum beside it.
RUN set -e; \
    if command -v docker-php-ext-install >/dev/null; then \
      apt-get update; \
      apt-get install -y --no-install-recommends ca-certificates unzip \
        libfreetype-dev libicu-dev libjpeg-dev libpng-dev libzip-dev; \
      rm -rf /var/lib/apt/lists/*; \
      docker-php-ext-configure gd --with-freetype --with-jpeg; \
      docker-php-ext-install -j "$(nproc)" bcmath gd intl zip; \
    fi; \
    if ! command -v composer >/dev/null; then \
      cd /usr/local/bin; \
      for file in composer.phar composer.phar.sha256sum; do \
        curl -fsSLO "https://getcomposer.org/download/latest-2.x/$file"; \
      done; \
      sha256sum -c composer.phar.sha256sum; \
      rm composer.phar.sha256sum; \
      chmod 755 composer.phar; \
      mv composer.phar composer; \
    fi
LABEL codebox.packages="PHP with bcmath, curl, dom, gd, intl, json, mbstring, PDO and SQLite, SimpleXML, zip"
CMD ["php"]
