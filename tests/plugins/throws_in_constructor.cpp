// An exception before the entry is ever called.
#include <codebox/plugin.h>

#include <stdexcept>

static const int thrown = [] {
  if (CBX_ABI_MAJOR == 1) throw std::runtime_error("no luck today");
  return 1;
}();
extern "C" CBX_EXPORT const cbx_plugin* codebox_plugin_v1(const cbx_host*) {
  return thrown == 2 ? reinterpret_cast<const cbx_plugin*>(&thrown) : nullptr;
}
