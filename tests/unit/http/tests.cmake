codebox_room_test(http OpenSSL::SSL)
