/* The layout as a C compiler sees it; abi_layout_test.cpp compares it with the C++ compiler's and the frozen
 * one. */
#include "abi_layout.h"

#include <codebox/plugin.h>

static const size_t layout[] = {CODEBOX_LAYOUT};

const size_t* codebox_c_layout(void) {
  return layout;
}
