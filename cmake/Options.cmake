# What every target of ours is compiled with. Warnings become errors only through the dev preset
# (CMAKE_COMPILE_WARNING_AS_ERROR), so that a newer compiler does not break an operator's build.
add_library(codebox_options INTERFACE)
target_compile_options(codebox_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wformat=2 -Wimplicit-fallthrough
  $<$<COMPILE_LANGUAGE:CXX>:-Wold-style-cast -Woverloaded-virtual -Wnon-virtual-dtor>)

option(CODEBOX_HARDENED "Compile and link with hardening flags" OFF)
if(CODEBOX_HARDENED)
  target_compile_options(codebox_options INTERFACE
    -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -D_GLIBCXX_ASSERTIONS -fstack-protector-strong
    -fstack-clash-protection -fcf-protection=full)
  target_link_options(codebox_options INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack,--as-needed)
endif()
