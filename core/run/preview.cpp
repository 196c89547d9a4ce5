#include <algorithm>

#include "base/text.hpp"
#include "run/transfer.hpp"

namespace codebox::run {
namespace {

constexpr std::size_t most_previews = 2;
constexpr std::chrono::milliseconds longest{3000};

// The image may have poppler, or one of these libraries, or none of it: then there is no preview.
constexpr const char* with_python = R"(
import sys
source, target = sys.argv[1:]
try:
    import pymupdf
    page = pymupdf.open(source)[0]
    scale = 1000 / max(page.rect.width, page.rect.height)
    page.get_pixmap(matrix=pymupdf.Matrix(scale, scale)).save(target)
except ImportError:
    import pypdfium2
    page = pypdfium2.PdfDocument(source)[0]
    page.render(scale=1000 / max(page.get_size())).to_pil().save(target)
)";

// What may draw the first page of `source` as `target`, a path that ends in .png, the quickest first.
std::vector<std::vector<std::string>> drawers(const std::string& source, const std::string& target) {
  const std::string stem = target.substr(0, target.size() - 4);
  return {{"pdftoppm", "-png", "-singlefile", "-f", "1", "-l", "1", "-scale-to", "1000", source, stem},
          {"python3", "-I", "-c", with_python, source, target}};
}

class Unread : public sandbox::OutputSink {
 public:
  void write(sandbox::Output, std::string_view) override {}
};

bool is_pdf(const std::string& path) {
  return text::lower(path).ends_with(".pdf");
}

}  // namespace

bool Transfer::draw(sandbox::Sandbox& sandbox, const std::vector<std::vector<std::string>>& commands) const {
  for (const auto& command : commands) {
    sandbox::Step step;
    step.argv = command;
    step.env = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp"};
    step.cwd = "/tmp";
    step.limit = std::min(longest, left(deadline_) / 2);
    Unread unread;
    const sandbox::StepEnd end = sandbox.step(step, unread, cancel_);
    if (end.ending == sandbox::Ending::exited && end.code == 0) return true;
    if (end.ending != sandbox::Ending::not_started && end.ending != sandbox::Ending::exited) return false;
  }
  return false;
}

// A document of a program is as hostile as the program, so it is drawn where that ran.
void Transfer::preview(sandbox::Sandbox& sandbox, const std::vector<sandbox::Found>& files, Ran& ran,
                       std::vector<Picture>& pictures) {
  std::size_t made = 0;
  for (const auto& file : files) {
    if (!is_pdf(file.path) || made >= most_previews || left(deadline_) < longest / 3) continue;
    const std::string target = "/tmp/codebox-preview-" + std::to_string(++made) + ".png";
    if (!draw(sandbox, drawers(file.path, target))) return;
    const auto drawn = sandbox.list({target}, 1, deadline_, cancel_);
    if (!drawn || drawn->files.empty()) return;
    const std::string name = file.path.substr(file.path.rfind('/') + 1);
    give(sandbox, drawn->files.front(), name.substr(0, name.size() - 4) + "-page-1.png", ran, pictures);
  }
}

}  // namespace codebox::run
