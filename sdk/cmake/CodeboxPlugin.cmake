# codebox_add_plugin(NAME source...)
#
# A language plugin: NAME.so, without prefix, everything hidden but the entry, free to be unloaded. It lands
# in CODEBOX_PLUGIN_OUTPUT_DIRECTORY, or in the current build folder where that is empty.
function(codebox_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE CodeboxSDK::headers)
  set_target_properties(${name} PROPERTIES
    PREFIX ""
    C_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
  if(CODEBOX_PLUGIN_OUTPUT_DIRECTORY)
    set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CODEBOX_PLUGIN_OUTPUT_DIRECTORY})
  endif()
endfunction()

# codebox_embed(NAME VARIABLE file)
#
# Makes the bytes of a file a constant of plugin NAME: `#include "VARIABLE.h"` gives the array VARIABLE, which
# ends with a NUL that is not part of the file, so that its length is sizeof(VARIABLE) - 1.
function(codebox_embed name variable file)
  get_filename_component(file ${file} ABSOLUTE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  string(REGEX REPLACE "('....','....','....','....','....','....','....','....',)" "\\1\n" bytes "${bytes}")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/embedded)
  file(CONFIGURE OUTPUT ${folder}/${variable}.h @ONLY CONTENT "#pragma once
#ifdef __cplusplus
inline constexpr char @variable@[] = {
#else
static const char @variable@[] = {
#endif
@bytes@'\\0'};
")
  target_include_directories(${name} PRIVATE ${folder})
endfunction()
