#include "openwebui/content_type.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/text.hpp"

namespace codebox::openwebui {
namespace {

using Entry = std::pair<std::string_view, std::string_view>;

constexpr std::array types{
    Entry{"txt", "text/plain"},
    Entry{"log", "text/plain"},
    Entry{"csv", "text/csv"},
    Entry{"tsv", "text/tab-separated-values"},
    Entry{"md", "text/markdown"},
    Entry{"html", "text/html"},
    Entry{"htm", "text/html"},
    Entry{"css", "text/css"},
    Entry{"js", "text/javascript"},
    Entry{"mjs", "text/javascript"},
    Entry{"ics", "text/calendar"},
    Entry{"py", "text/x-python"},
    Entry{"c", "text/x-c"},
    Entry{"cpp", "text/x-c++"},
    Entry{"java", "text/x-java"},
    Entry{"go", "text/x-go"},
    Entry{"rs", "text/x-rust"},
    Entry{"tex", "text/x-tex"},
    Entry{"ts", "text/x-typescript"},
    Entry{"yaml", "application/yaml"},
    Entry{"yml", "application/yaml"},
    Entry{"toml", "application/toml"},
    Entry{"json", "application/json"},
    Entry{"jsonl", "application/jsonl"},
    Entry{"ndjson", "application/x-ndjson"},
    Entry{"geojson", "application/geo+json"},
    Entry{"ipynb", "application/x-ipynb+json"},
    Entry{"xml", "application/xml"},
    Entry{"sql", "application/sql"},
    Entry{"sh", "application/x-sh"},
    Entry{"rtf", "application/rtf"},
    Entry{"pdf", "application/pdf"},
    Entry{"epub", "application/epub+zip"},
    Entry{"doc", "application/msword"},
    Entry{"docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
    Entry{"xls", "application/vnd.ms-excel"},
    Entry{"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
    Entry{"ppt", "application/vnd.ms-powerpoint"},
    Entry{"pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
    Entry{"odt", "application/vnd.oasis.opendocument.text"},
    Entry{"ods", "application/vnd.oasis.opendocument.spreadsheet"},
    Entry{"odp", "application/vnd.oasis.opendocument.presentation"},
    Entry{"parquet", "application/vnd.apache.parquet"},
    Entry{"arrow", "application/vnd.apache.arrow.file"},
    Entry{"feather", "application/vnd.apache.arrow.file"},
    Entry{"sqlite", "application/vnd.sqlite3"},
    Entry{"db", "application/vnd.sqlite3"},
    Entry{"zip", "application/zip"},
    Entry{"gz", "application/gzip"},
    Entry{"tgz", "application/gzip"},
    Entry{"bz2", "application/x-bzip2"},
    Entry{"xz", "application/x-xz"},
    Entry{"zst", "application/zstd"},
    Entry{"tar", "application/x-tar"},
    Entry{"7z", "application/x-7z-compressed"},
    Entry{"wasm", "application/wasm"},
    Entry{"png", "image/png"},
    Entry{"jpg", "image/jpeg"},
    Entry{"jpeg", "image/jpeg"},
    Entry{"gif", "image/gif"},
    Entry{"webp", "image/webp"},
    Entry{"svg", "image/svg+xml"},
    Entry{"bmp", "image/bmp"},
    Entry{"tif", "image/tiff"},
    Entry{"tiff", "image/tiff"},
    Entry{"ico", "image/vnd.microsoft.icon"},
    Entry{"avif", "image/avif"},
    Entry{"mp3", "audio/mpeg"},
    Entry{"wav", "audio/wav"},
    Entry{"ogg", "audio/ogg"},
    Entry{"flac", "audio/flac"},
    Entry{"mid", "audio/midi"},
    Entry{"mp4", "video/mp4"},
    Entry{"webm", "video/webm"},
    Entry{"mov", "video/quicktime"},
    Entry{"stl", "model/stl"},
    Entry{"obj", "model/obj"},
    Entry{"glb", "model/gltf-binary"},
    Entry{"ttf", "font/ttf"},
    Entry{"woff2", "font/woff2"},
};

}  // namespace

std::string content_type_of(const std::string& name) {
  const auto dot = name.find_last_of('.');
  if (dot != std::string::npos) {
    const std::string extension = text::lower(std::string_view(name).substr(dot + 1));
    const auto found = std::find_if(types.begin(), types.end(),
                                    [&](const Entry& entry) { return entry.first == extension; });
    if (found != types.end()) return std::string(found->second);
  }
  return "application/octet-stream";
}

}  // namespace codebox::openwebui
