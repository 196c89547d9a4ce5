codebox_room_test(plugin CodeboxSDK::headers nlohmann_json::nlohmann_json)
target_sources(plugin_test PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/unit/plugin/abi_layout.c)

# The child that load_folder starts; in the server it is the server's own program.
add_executable(plugin_host_child ${CMAKE_CURRENT_SOURCE_DIR}/unit/plugin/child/main.cpp)
target_link_libraries(plugin_host_child PRIVATE codebox::plugin codebox_options)
add_dependencies(plugin_test plugin_host_child)
target_compile_definitions(plugin_test PRIVATE
  PLUGIN_HOST="$<TARGET_FILE:plugin_host_child>"
  TEST_PLUGINS="${CMAKE_BINARY_DIR}/test-plugins"
  SHIPPED_PLUGINS="${CMAKE_BINARY_DIR}/plugins")
if(TARGET python)
  add_dependencies(plugin_test python)
endif()
