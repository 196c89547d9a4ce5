#include "run/layer_files.hpp"

#include <filesystem>
#include <set>

#include "base/text.hpp"

namespace codebox::run {
namespace {

const std::string prefix = std::string(sandbox::packages_folder) + '/';
// Where installers keep what is of no use afterwards.
const std::string temporary = prefix + ".tmp/";
constexpr std::uint64_t largest_record = 4ULL << 20;

bool is_plain(const std::string& path) {
  if (!path.starts_with(prefix) || path.ends_with('/')) return false;
  for (const std::string& part : text::split(path.substr(1), '/')) {
    if (part.empty() || part == "." || part == ".." || part.find('\0') != std::string::npos) return false;
  }
  return true;
}

// Files that an interpreter runs by itself at its start, whether or not a program asks for the package.
bool is_start_up_hook(const std::string& path) {
  if (path.ends_with(".pth")) return true;
  for (const std::string& part : text::split(path, '/')) {
    const std::string stem = part.substr(0, part.find('.'));
    if (stem == "sitecustomize" || stem == "usercustomize") return true;
  }
  return false;
}

bool is_record(const std::string& path) { return path.ends_with(".dist-info/RECORD"); }

// The first field of a line of RECORD, as a path of the sandbox.
std::string recorded_path(std::string line, const std::string& folder) {
  if (line.starts_with('"')) {
    line = line.substr(1, line.find('"', 1) - 1);
  } else {
    line.resize(std::min(line.find(','), line.size()));
  }
  return (std::filesystem::path(folder) / line).lexically_normal();
}

}  // namespace

Result<std::vector<sandbox::Found>> layer_files(
    const sandbox::Listing& listing, std::uint64_t most_bytes,
    const std::function<Result<std::string>(const sandbox::Found&)>& read) {
  const auto bad = [](const std::string& path, const std::string& why) {
    return Failure{Reason::invalid, text::quoted(path) + ' ' + why};
  };
  if (listing.truncated) return Failure{Reason::too_large, "there are too many files"};
  for (const sandbox::Refused& refused : listing.refused) {
    if (!refused.path.starts_with(temporary)) return bad(refused.path, refused.why);
  }
  std::vector<sandbox::Found> files;
  std::set<std::string> hooks;
  std::uint64_t total = 0;
  for (const sandbox::Found& file : listing.files) {
    if (!is_plain(file.path)) return bad(file.path, "lies outside the packages");
    if (file.path.starts_with(temporary)) continue;
    if (file.size > most_bytes || (total += file.size) > most_bytes) {
      return Failure{Reason::too_large, "there is more than " + text::size(most_bytes)};
    }
    if (is_start_up_hook(file.path)) hooks.insert(file.path);
    files.push_back(file);
  }
  if (files.empty()) return Failure{Reason::not_found, "nothing was installed"};
  for (const sandbox::Found& file : files) {
    if (hooks.empty()) break;
    if (!is_record(file.path) || file.size > largest_record) continue;
    auto record = read(file);
    if (!record) return record.failure();
    const std::string folder = std::filesystem::path(file.path).parent_path().parent_path();
    for (const std::string& line : text::split(*record, '\n')) hooks.erase(recorded_path(line, folder));
  }
  if (!hooks.empty()) return bad(*hooks.begin(), "would run at every start and is in no package's record");
  return files;
}

}  // namespace codebox::run
