codebox_room_test(auth Poco::JWT Poco::Crypto OpenSSL::Crypto)
