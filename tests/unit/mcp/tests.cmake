codebox_room_test(mcp nlohmann_json::nlohmann_json)
