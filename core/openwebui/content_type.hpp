#pragma once
#include <string>

namespace codebox::openwebui {

/// The content type that a browser should get for a file of this name, by its extension; what is not known is
/// application/octet-stream. Pure; any thread.
std::string content_type_of(const std::string& name);

}  // namespace codebox::openwebui
