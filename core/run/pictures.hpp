#pragma once
#include <cstddef>
#include <string>

/// Which files are pictures. Pure functions; any thread.
namespace codebox::run {

/// image/png, image/jpeg, image/gif or image/webp by the name's extension, else empty: nothing but these four
/// may be image content (an SVG there ends Open WebUI's whole turn).
std::string inline_picture_type(const std::string& name);
/// Whether a browser shows the file inline, which includes SVG.
bool is_picture(const std::string& name);
/// Whether `bytes` begin as a file of that type does, so that a mislabelled file is not sent as a picture.
bool has_signature(const std::string& type, const std::string& bytes);

}  // namespace codebox::run
