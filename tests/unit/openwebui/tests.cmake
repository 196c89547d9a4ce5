codebox_room_test(openwebui Poco::Net Poco::NetSSL OpenSSL::Crypto)
