codebox_room_test(app nlohmann_json::nlohmann_json OpenSSL::Crypto)
target_compile_definitions(app_test PRIVATE CODEBOX_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
