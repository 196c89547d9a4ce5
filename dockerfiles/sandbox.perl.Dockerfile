# What a Perl program finds in its sandbox: Perl, the modules below, and cpanm with a C compiler for more of them.
#
#   docker build -f dockerfiles/sandbox.perl.Dockerfile -t codebox/sandbox-perl:latest dockerfiles
#
# A file ca-bundle.pem beside this one names the authorities to trust while building; it is not needed later.
# debian: ca-certificates perl cpanminus gcc libc6-dev make libdatetime-perl libdbd-sqlite3-perl
# debian: libexcel-writer-xlsx-perl libio-socket-ssl-perl libjson-perl libjson-xs-perl liblist-moreutils-perl libmoo-perl
# debian: libpath-tiny-perl libtext-csv-perl libtext-csv-xs-perl libtry-tiny-perl libxml-libxml-perl libyaml-perl
ARG BASE_IMAGE=perl:5.42-trixie
FROM ${BASE_IMAGE}
COPY sandbox.perl.Dockerfile ca-bundle.pem* /tmp/codebox-build/
# Modules that a base has already are left alone, so that one with all of them needs no CPAN.
RUN set -e; \
    [ ! -e /tmp/codebox-build/ca-bundle.pem ] || export SSL_CERT_FILE=/tmp/codebox-build/ca-bundle.pem; \
    for module in DateTime DBD::SQLite Excel::Writer::XLSX IO::Socket::SSL JSON JSON::XS List::MoreUtils Moo Path::Tiny \
        Text::CSV Text::CSV_XS Try::Tiny XML::LibXML YAML; do \
      perl -e 'eval "require $ARGV[0]" or exit 1' "$module" || \
        cpanm --notest --no-man-pages --mirror https://www.cpan.org --mirror-only "$module"; \
    done; \
    rm -rf /tmp/codebox-build /root/.cpanm
LABEL codebox.packages="Perl's own modules, DateTime, DBI, DBD::SQLite, Excel::Writer::XLSX, JSON, JSON::XS, \
List::MoreUtils, Moo, Path::Tiny, Text::CSV, Try::Tiny, XML::LibXML, YAML"
CMD ["perl"]
