codebox_room_test(run codebox::sandbox codebox::openwebui nlohmann_json::nlohmann_json)
target_compile_definitions(run_test PRIVATE CODEBOX_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
