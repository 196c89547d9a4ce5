/* A library, but no plugin. */
#include "good.h"
CBX_EXPORT int something_else(void);
int something_else(void) {
  return (int)good_run.size + (int)good_sample.size;
}
