#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace codebox::mcp {

/// The long texts of a JSON document (files in base64 above all), taken out before it is parsed and given
/// back to the parser where they stood: byte by byte it would need many times as long for them as copying
/// them. On the stack of who parses; one thread.
class LongTexts {
 public:
  /// `json` is UTF-8 and outlives this. What is no JSON stays as wrong as it was.
  explicit LongTexts(std::string_view json);

  /// The document, with an empty text in place of each long one.
  std::string_view rest() const { return texts_.empty() ? json_ : std::string_view(rest_); }
  /// To be asked for each text and each name in the order of the document: the long one that stood there.
  std::optional<std::string_view> next();
  /// Where the byte of rest() stands in the whole document.
  std::size_t place(std::size_t byte) const;

 private:
  struct Text {
    std::size_t number;  ///< among all texts and names of the document
    std::size_t place;   ///< in rest()
    std::string_view content;
  };

  std::string_view json_;
  std::string rest_;
  std::vector<Text> texts_;
  std::size_t asked_ = 0;
  std::size_t given_ = 0;
};

}  // namespace codebox::mcp
