// An exception that crosses the border, which the contract forbids.
#include <codebox/plugin.h>

#include <stdexcept>

extern "C" CBX_EXPORT const cbx_plugin* codebox_plugin_v1(const cbx_host*) {
  throw std::runtime_error("no luck today");
}
