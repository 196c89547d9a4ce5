#include "abi_layout.h"

#include <codebox/plugin.h>

#include <catch2/catch_test_macros.hpp>
#include <vector>

// Version 1.0 as it was frozen. A new minor version appends to this list; it never changes what stands.
static const std::vector<std::size_t> frozen = {
    0,  4,   8,   12,  16,  24,                           // cbx_command
    8,  16,  24,  32,                                     // cbx_support_file
    4,  8,   16,  24,  32,  40,  48,  56,  64,  72,  80,  // cbx_packages
    8,  16,  24,                                          // cbx_hint
    8,  16,  24,  32,                                     // cbx_sample
    4,  6,   8,   10,  12,  16,  24,  32,  40,  48,  56, 64, 72, 80, 88,
    96, 104, 112, 120, 128, 136, 144, 152, 160, 168, 8,  16, 24, 32, 40};  // cbx_host

TEST_CASE("the layout of version 1.0 is frozen, without holes, the same in C and in C++") {
  const std::vector<std::size_t> here = {CODEBOX_LAYOUT};
  CHECK(here == frozen);
  CHECK(std::vector<std::size_t>(codebox_c_layout(), codebox_c_layout() + frozen.size()) == frozen);
}

TEST_CASE("C++ fills what an initialiser leaves out") {
  constexpr cbx_plugin plugin = {.id = "x"};
  CHECK(plugin.size == sizeof(cbx_plugin));
  CHECK(plugin.abi_major == 1);
  CHECK(plugin.run == nullptr);
  CHECK(cbx_packages{}.longest == 128);
}
