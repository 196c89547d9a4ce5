codebox_room_test(engine nlohmann_json::nlohmann_json)
