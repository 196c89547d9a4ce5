#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C"
#endif
    const size_t*
    codebox_c_layout(void);

/* Every field in order, with each struct's size behind its fields. */
#define CODEBOX_LAYOUT                                                                                       \
  offsetof(cbx_command, size), offsetof(cbx_command, time_ms), offsetof(cbx_command, memory_mib),            \
      offsetof(cbx_command, reserved), offsetof(cbx_command, argv), sizeof(cbx_command),                     \
      offsetof(cbx_support_file, name), offsetof(cbx_support_file, bytes),                                   \
      offsetof(cbx_support_file, length), sizeof(cbx_support_file), offsetof(cbx_packages, longest),         \
      offsetof(cbx_packages, most), offsetof(cbx_packages, noun), offsetof(cbx_packages, example),           \
      offsetof(cbx_packages, extra_characters), offsetof(cbx_packages, install),                             \
      offsetof(cbx_packages, verify), offsetof(cbx_packages, install_env), offsetof(cbx_packages, env),      \
      offsetof(cbx_packages, index_variables), sizeof(cbx_packages), offsetof(cbx_hint, pattern),            \
      offsetof(cbx_hint, text), sizeof(cbx_hint), offsetof(cbx_sample, code), offsetof(cbx_sample, input),   \
      offsetof(cbx_sample, output), sizeof(cbx_sample), offsetof(cbx_plugin, abi_major),                     \
      offsetof(cbx_plugin, abi_minor), offsetof(cbx_plugin, need_minor), offsetof(cbx_plugin, flags),        \
      offsetof(cbx_plugin, list_format), offsetof(cbx_plugin, id), offsetof(cbx_plugin, version),            \
      offsetof(cbx_plugin, display_name), offsetof(cbx_plugin, description), offsetof(cbx_plugin, image),    \
      offsetof(cbx_plugin, source_file), offsetof(cbx_plugin, aliases), offsetof(cbx_plugin, architectures), \
      offsetof(cbx_plugin, env), offsetof(cbx_plugin, support), offsetof(cbx_plugin, compile),               \
      offsetof(cbx_plugin, run), offsetof(cbx_plugin, list), offsetof(cbx_plugin, packages),                 \
      offsetof(cbx_plugin, warm), offsetof(cbx_plugin, ignore), offsetof(cbx_plugin, hints),                 \
      offsetof(cbx_plugin, sample), offsetof(cbx_plugin, extension), sizeof(cbx_plugin),                     \
      offsetof(cbx_host, ctx), offsetof(cbx_host, version), offsetof(cbx_host, fail),                        \
      offsetof(cbx_host, extension), sizeof(cbx_host)
