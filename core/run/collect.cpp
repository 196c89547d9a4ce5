#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include "base/encoding.hpp"
#include "base/pipe.hpp"
#include "base/text.hpp"
#include "openwebui/embed.hpp"
#include "run/hints.hpp"
#include "run/pictures.hpp"
#include "run/transfer.hpp"

namespace codebox::run {
namespace {

// The names under which files come back: the file's own, or, where two have the same, its path below the
// folder.
std::map<std::string, std::string> names_of(const std::vector<sandbox::Found>& files) {
  std::map<std::string, std::size_t> count;
  const auto own = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
  for (const auto& file : files) ++count[own(file.path)];
  std::map<std::string, std::string> names;
  for (const auto& file : files) {
    std::string name = own(file.path);
    if (count[name] > 1) {
      std::string_view path = file.path;
      for (const std::string_view folder : {sandbox::output_folder, sandbox::work_folder}) {
        if (path.starts_with(folder)) {
          path.remove_prefix(folder.size());
          break;
        }
      }
      name = std::string(path.substr(1));
      std::replace(name.begin(), name.end(), '/', '_');
    }
    names[file.path] = name;
  }
  return names;
}

bool ignored(const std::string& path, const plugin::LanguageSpec& language) {
  return std::any_of(language.ignore.begin(), language.ignore.end(),
                     [&](const std::string& glob) { return text::matches(glob, path); });
}

// Passes bytes on and keeps a copy of what is to stand in the result or the chat.
class Tee : public ByteSink {
 public:
  Tee(ByteSink& next, bool keep) : next_(next), keep_(keep) {}
  Result<void> write(std::string_view bytes) override {
    if (keep_) kept_.append(bytes);
    return next_.write(bytes);
  }
  const std::string& kept() const { return kept_; }

 private:
  ByteSink& next_;
  const bool keep_;
  std::string kept_;
};

// Pages are stored with the chat.
constexpr std::size_t most_pages = 4;
constexpr std::uint64_t largest_page = 8ULL << 20;

bool is_page(const std::string& name) {
  const std::string lower = text::lower(name);
  return lower.ends_with(".html") || lower.ends_with(".htm");
}

// What a program writes for somebody to look at, and hardly ever for itself.
bool is_for_people(const std::string& path) {
  if (is_picture(path) || is_page(path)) return true;
  const std::string lower = text::lower(path);
  const auto kinds = {".csv", ".xlsx", ".pdf", ".docx", ".pptx"};
  return std::any_of(kinds.begin(), kinds.end(), [&](const char* kind) { return lower.ends_with(kind); });
}

// Of one call; those that never come back are among them.
constexpr std::size_t most_found = 1000;

bool is_glob(const std::string& pattern) {
  return pattern.find_first_of("*?") != std::string::npos;
}

}  // namespace

void Transfer::collect(sandbox::Sandbox& sandbox, const Arguments& arguments,
                       const plugin::LanguageSpec& language, Ran& ran, std::vector<Picture>& pictures) {
  std::vector<std::string> patterns = {std::string(sandbox::output_folder) + "/**"};
  patterns.insert(patterns.end(), arguments.outputs.begin(), arguments.outputs.end());
  auto listing = sandbox.list(patterns, most_found, deadline_, cancel_);
  if (!listing) {
    ran.notes.push_back("Files could not be collected: " + listing.failure().message);
    return;
  }
  if (listing->truncated) {
    ran.notes.push_back(
        "More than " + std::to_string(most_found) +
        " files are there to collect, and the others were not looked at: pack them into one.");
  }
  const std::string source = std::string(sandbox::work_folder) + '/' + language.source_file;
  std::vector<sandbox::Found> files;
  for (const auto& file : listing->files) {
    if (file.path != source && !ignored(file.path, language)) files.push_back(file);
  }
  std::stable_sort(files.begin(), files.end(),
                   [](const auto& a, const auto& b) { return text::numbers_before(a.path, b.path); });
  for (const auto& refused : listing->refused) {
    if (!ignored(refused.path, language)) ran.not_returned.push_back(refused);
  }
  std::vector<std::string> absent;
  for (const std::string& pattern : arguments.outputs) {
    const auto is_it = [&](const auto& found) { return found.path == pattern; };
    if (!is_glob(pattern) && std::none_of(files.begin(), files.end(), is_it) &&
        std::none_of(ran.not_returned.begin(), ran.not_returned.end(), is_it)) {
      if (pattern == source) {
        ran.not_returned.push_back({pattern, "is the program itself"});
      } else {
        absent.push_back(pattern);
      }
    }
  }
  note_absent(sandbox, absent, language, ran);
  if (files.empty() && arguments.outputs.empty() && ran.not_returned.empty())
    note_left(sandbox, arguments, language, ran);
  const auto names = names_of(files);
  progress_.uploading(std::min(files.size(), options_.max_files));
  std::size_t given = 0;
  for (const auto& file : files) {
    if (++given > options_.max_files) {
      ran.not_returned.push_back({file.path, "is one too many: at most " +
                                                 std::to_string(options_.max_files) +
                                                 " files come back (SANDBOX_MAX_FILES)"});
      if (given > options_.max_files + 5) break;
      continue;
    }
    give(sandbox, file, names.at(file.path), ran, pictures);
  }
  preview(sandbox, files, ran, pictures);
}

// A result is stored with the chat, and each of its pictures goes to the model.
bool Transfer::has_room(const std::vector<Picture>& pictures, std::uint64_t size) const {
  if (!caller_.inline_pictures) return false;
  std::uint64_t used = size;
  for (const Picture& picture : pictures) used += picture.base64.size() / 4 * 3;
  return pictures.size() < options_.inline_images && used <= options_.inline_bytes;
}

std::vector<std::string> Transfer::present(sandbox::Sandbox& sandbox,
                                           const plugin::LanguageSpec& language) const {
  std::vector<std::string> paths;
  const auto listing = sandbox.list({std::string(sandbox::work_folder) + "/**"}, 100, deadline_, cancel_);
  if (!listing) return paths;
  const std::string source = std::string(sandbox::work_folder) + '/' + language.source_file;
  for (const auto& file : listing->files) {
    if (file.path != source && !ignored(file.path, language)) paths.push_back(file.path);
  }
  return paths;
}

void Transfer::note_absent(sandbox::Sandbox& sandbox, const std::vector<std::string>& absent,
                           const plugin::LanguageSpec& language, Ran& ran) const {
  if (absent.empty()) return;
  const std::vector<std::string> there = present(sandbox, language);
  for (const std::string& path : absent) {
    const std::vector<std::string> like = like_named(path, there);
    ran.not_returned.push_back(
        {path, "is not there" + (like.empty() ? "" : ", but " + listed(like) + " is")});
  }
}

void Transfer::note_left(sandbox::Sandbox& sandbox, const Arguments& arguments,
                         const plugin::LanguageSpec& language, Ran& ran) const {
  const auto came_in = [&](const std::string& path) {
    return std::any_of(arguments.inputs.begin(), arguments.inputs.end(),
                       [&](const InputFile& input) { return input.path.empty() || input.path == path; });
  };
  std::vector<std::string> left = present(sandbox, language);
  std::erase_if(left, [&](const std::string& path) { return !is_for_people(path) || came_in(path); });
  if (left.empty()) return;
  ran.notes.push_back(listed(left) + (left.size() > 1 ? " were" : " was") + " not returned: write to " +
                      std::string(sandbox::output_folder) + ", or name files in `output_files`.");
}

void Transfer::give(sandbox::Sandbox& sandbox, const sandbox::Found& file, const std::string& name, Ran& ran,
                    std::vector<Picture>& pictures) {
  if (file.size > options_.max_file) {
    ran.not_returned.push_back({file.path, "has " + text::size(file.size) + "; the limit is " +
                                               text::size(options_.max_file) + " (SANDBOX_MAX_FILE_SIZE)"});
    return;
  }
  const std::string inline_type = inline_picture_type(name);
  Pipe pipe(cancel_);
  Result<openwebui::StoredFile> stored = Failure{};
  const bool page = is_page(name) && progress_.seen() && options_.embeds && file.size <= largest_page &&
                    ran.pages.size() < most_pages;
  Tee tee(pipe, page || (!inline_type.empty() && has_room(pictures, file.size)));
  Result<std::uint64_t> fetched = Failure{};
  {
    std::jthread uploading([&] {
      stored = files_.upload(caller_, name, file.size, pipe, deadline_, cancel_);
      pipe.abandon(stored ? Failure{Reason::internal, "The file is stored."} : stored.failure());
    });
    fetched = sandbox.fetch(file.path, file.size, tee, deadline_, cancel_);
    if (fetched && *fetched != file.size) fetched = Failure{Reason::invalid, "changed while it was read"};
    pipe.finish(fetched ? std::nullopt : std::optional(fetched.failure()));
  }
  if (!stored || !fetched) {
    ran.not_returned.push_back({file.path, stored ? fetched.failure().message : stored.failure().message});
    return;
  }
  if (page) {
    const auto outside = openwebui::outside_hosts(tee.kept(), options_.embed_hosts);
    if (!outside.empty()) {
      ran.notes.push_back(text::one_line(name) + " is not whole in the chat, where it cannot load from " +
                          text::join(outside, ", ") +
                          ": the person may open the file itself, or the operator list these hosts "
                          "(OWUI_EMBED_HOSTS).");
    }
    ran.pages.push_back(tee.kept());
  }
  const bool shown = !tee.kept().empty() && has_signature(inline_type, tee.kept());
  ran.files.push_back({*stored, file.size, is_picture(name), shown});
  if (shown) {
    pictures.push_back({encoding::to_base64(tee.kept()), inline_type});
  }
}

}  // namespace codebox::run
