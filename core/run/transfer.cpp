#include "run/transfer.hpp"

#include <algorithm>
#include <set>
#include <thread>

#include "base/pipe.hpp"
#include "base/text.hpp"

namespace codebox::run {
namespace {

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

Failure too_large(const std::string& name, std::uint64_t size, std::uint64_t limit) {
  return {Reason::too_large, "The input file " + text::quoted(name) + " has " + text::size(size) +
                                 "; the limit is " + text::size(limit) + " (SANDBOX_MAX_FILE_SIZE)."};
}

}  // namespace

Result<void> put_text(sandbox::Sandbox& sandbox, const std::string& path, std::string_view content,
                      Time deadline, std::stop_token cancel) {
  TextBytes source(content);
  return sandbox.put(path, content.size(), 0644, source, deadline, std::move(cancel));
}

Result<void> put_support(sandbox::Sandbox& sandbox, const plugin::LanguageSpec& language, Time deadline,
                         const std::stop_token& cancel) {
  if (sandbox.prepared()) return {};
  for (const plugin::SupportFile& file : language.support) {
    const std::string path = std::string(sandbox::support_folder) + '/' + file.name;
    if (auto put = put_text(sandbox, path, file.bytes, deadline, cancel); !put) return put;
  }
  return {};
}

Result<std::vector<PlacedInput>> Transfer::find(const std::vector<InputFile>& inputs,
                                                const std::string& source_file) {
  std::vector<PlacedInput> placed;
  std::set<std::string> paths;
  for (const InputFile& wanted : inputs) {
    PlacedInput input{wanted.path, wanted.content, {}};
    std::uint64_t size = wanted.content ? wanted.content->size() : 0;
    if (!wanted.content) {
      auto file = files_.find(caller_, wanted.reference, deadline_, cancel_);
      if (!file) return file.failure();
      input.file = std::move(*file);
      size = input.file.size;
      if (wanted.path.empty()) {
        auto path = writable_path(base_name(input.file.name));
        if (!path) return path.failure();
        input.path = std::move(*path);
      }
    }
    const std::string& path = input.path;
    if (size > options_.max_file) return too_large(base_name(path), size, options_.max_file);
    if (auto fine = take_path(path, source_file, paths); !fine) return fine.failure();
    placed.push_back(std::move(input));
  }
  return placed;
}

Result<void> Transfer::put(sandbox::Sandbox& sandbox, const PlacedInput& input) {
  if (input.content) return put_text(sandbox, input.path, *input.content, deadline_, cancel_);
  return download(sandbox, input);
}

Result<void> Transfer::download(sandbox::Sandbox& sandbox, const PlacedInput& input) {
  Pipe pipe(cancel_);
  std::jthread downloading([&] {
    const auto got = files_.download(caller_, input.file, options_.max_file, pipe, deadline_, cancel_);
    if (!got) {
      pipe.finish(got.failure());
    } else {
      pipe.finish();
    }
  });
  auto put = sandbox.put(input.path, input.file.size, 0644, pipe, deadline_, cancel_);
  pipe.abandon(put ? Failure{Reason::internal, "The file is complete."} : put.failure());
  return put;
}

}  // namespace codebox::run
