codebox_room_test(run codebox::sandbox codebox::openwebui nlohmann_json::nlohmann_json)
