#include "EXTERN.h"
#include "perl.h"
#include "XSUB.h"

MODULE = Codebox::Letters  PACKAGE = Codebox::Letters

int
count(text)
    char *text
  CODE:
    RETVAL = (int)strlen(text);
  OUTPUT:
    RETVAL
