#!/bin/sh
# Two packages as CRAN lays them out: one that holds C and is needed by the other, of which an older version is archived.
set -eu
mkdir -p src/contrib/Archive/codebox.words
R CMD build --no-build-vignettes letters words
mv codebox.letters_*.tar.gz codebox.words_*.tar.gz src/contrib
sed -i 's/^Version: .*/Version: 1.0/' words/DESCRIPTION
R CMD build --no-build-vignettes words
mv codebox.words_1.0.tar.gz src/contrib/Archive/codebox.words
Rscript -e 'tools::write_PACKAGES("src/contrib", type = "source")'
rm -rf letters words build.sh
