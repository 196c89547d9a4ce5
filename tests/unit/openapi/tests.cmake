codebox_room_test(openapi nlohmann_json::nlohmann_json)
