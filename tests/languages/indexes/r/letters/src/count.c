#include <R.h>
#include <Rinternals.h>
#include <string.h>

SEXP count_letters(SEXP text) {
  return ScalarInteger((int)strlen(CHAR(STRING_ELT(text, 0))));
}
