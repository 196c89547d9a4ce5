#pragma once
#include <string>

namespace codebox::openwebui {

/// The fixed parts round one file in a multipart/form-data body. Plain value.
struct Multipart {
  std::string content_type;  ///< of the request, with its boundary
  std::string head;
  std::string tail;
};

/// One file field named "file". The boundary is random, so that no file can contain it.
Multipart multipart_of(const std::string& name, const std::string& type);

}  // namespace codebox::openwebui
