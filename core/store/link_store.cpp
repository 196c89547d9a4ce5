#include "store/link_store.hpp"

#include <algorithm>
#include <fstream>
#include <vector>

#include "base/encoding.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "openwebui/content_type.hpp"
#include "openwebui/reference.hpp"
#include "store/about.hpp"

namespace codebox::store {
namespace {

namespace fs = std::filesystem;
using openwebui::RemoteFile;
using openwebui::StoredFile;

constexpr std::size_t piece = 64U << 10U;
constexpr std::size_t most_files = 100000;
const std::string route = "/files/";

Failure dead_link() {
  return {Reason::not_found,
          "This link leads to no file: it has expired or was altered; run the program again."};
}

std::string value_of(const std::string& query, const std::string& key) {
  for (const std::string& part : text::split(query, '&')) {
    if (part.starts_with(key + "=")) return part.substr(key.size() + 1);
  }
  return "";
}

Result<void> may_go_on(Time deadline, const std::stop_token& cancel) {
  if (cancel.stop_requested())
    return Failure{Reason::cancelled, "The call was cancelled while a file was stored."};
  if (left(deadline).count() == 0)
    return Failure{Reason::timeout, "Storing a file took longer than this call has."};
  return {};
}

}  // namespace

LinkStore::LinkStore(const Options& options, const Clock& clock, Signer signer)
    : options_(options), folder_(options.state_dir / "files"), clock_(clock), signer_(std::move(signer)) {}

Result<std::unique_ptr<LinkStore>> LinkStore::make(const Options& options, const Clock& clock) {
  std::error_code error;
  fs::create_directories(options.state_dir / "files", error);
  if (error) {
    return Failure{Reason::invalid, "STATE_DIR " + text::quoted(options.state_dir.string()) +
                                        " cannot be used (" + error.message() +
                                        "): name a folder that the server may write to."};
  }
  fs::permissions(options.state_dir / "files", fs::perms::owner_all, error);
  auto signer = Signer::with_key(options.state_dir / "key");
  if (!signer) return signer.failure();
  std::unique_ptr<LinkStore> store(new LinkStore(options, clock, std::move(*signer)));
  if (auto loaded = store->load(); !loaded) return loaded.failure();
  return store;
}

Result<void> LinkStore::load() {
  std::error_code error;
  for (const auto& folder : fs::directory_iterator(folder_, error)) {
    const std::string id = folder.path().filename().string();
    const auto about = openwebui::is_uuid(id) ? read_about(folder.path()) : std::nullopt;
    if (!about) {
      // An upload that never came to its end.
      std::error_code ignored;
      fs::remove_all(folder.path(), ignored);
      continue;
    }
    entries_[id] = {about->owner, about->name, about->content_type, about->size, about->expires, 0};
    used_ += about->size;
  }
  if (error)
    return Failure{Reason::invalid, "The kept files in " + text::quoted(folder_.string()) +
                                        " cannot be read (" + error.message() +
                                        "): let the server's user read that folder."};
  sweep();
  return {};
}

Result<RemoteFile> LinkStore::find(const Caller& caller, const std::string& reference, Time,
                                   std::stop_token) {
  const auto wanted = openwebui::parse_reference(reference);
  // How models name a file that they believe to lie where another product keeps its files.
  const bool foreign = wanted.name.starts_with("sandbox:") || wanted.name.starts_with("/mnt/data/");
  const std::lock_guard lock(mutex_);
  auto best = entries_.end();
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    const std::string& name = entry->second.name;
    const bool called = name == wanted.name || (foreign && name == openwebui::base_name(wanted.name));
    const bool named = wanted.id.empty() ? called : entry->first == wanted.id;
    if (!named || entry->second.owner != caller.user || entry->second.expires <= now()) continue;
    const auto age = [](const Entry& kept) { return std::pair(kept.expires, kept.number); };
    if (best == entries_.end() || age(best->second) < age(entry->second)) best = entry;
  }
  if (best == entries_.end()) return openwebui::unknown_file(reference);
  const Entry& entry = best->second;
  return RemoteFile{
      .id = best->first, .name = entry.name, .content_type = entry.content_type, .size = entry.size};
}

Result<openwebui::FileList> LinkStore::list(const Caller& caller, Time, std::stop_token) {
  const std::lock_guard lock(mutex_);
  openwebui::FileList known;
  const auto kept = options_.time_to_live.count();
  for (const auto& [id, entry] : entries_) {
    if (entry.owner == caller.user && entry.expires > now())
      known.files.push_back({id, entry.name, entry.size, entry.expires - kept, true});
  }
  std::sort(known.files.begin(), known.files.end(),
            [](const auto& a, const auto& b) { return a.when > b.when; });
  return known;
}

Result<std::uint64_t> LinkStore::download(const Caller& caller, const RemoteFile& file, std::uint64_t limit,
                                          ByteSink& bytes, Time deadline, std::stop_token cancel) {
  const auto found = find(caller, file.id, deadline, cancel);
  if (!found) return found.failure();
  if (found->size > limit) {
    return Failure{Reason::too_large, "The file " + text::quoted(found->name) + " has " +
                                          text::size(found->size) + ", more than the " + text::size(limit) +
                                          " that is left for it."};
  }
  std::ifstream in(content_path(found->id), std::ios::binary);
  std::vector<char> buffer(piece);
  std::uint64_t moved = 0;
  while (in.good()) {
    if (auto going = may_go_on(deadline, cancel); !going) return going.failure();
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    const auto count = static_cast<std::size_t>(in.gcount());
    if (count == 0) break;
    if (auto written = bytes.write({buffer.data(), count}); !written) return written.failure();
    moved += count;
  }
  if (moved != found->size) return openwebui::unknown_file(found->name);
  return moved;
}

Result<StoredFile> LinkStore::upload(const Caller& caller, const std::string& name, std::uint64_t size,
                                     ByteSource& bytes, Time deadline, std::stop_token cancel) {
  if (size > options_.max_file) {
    return Failure{Reason::too_large, "The file " + text::quoted(name) + " has " + text::size(size) +
                                          ", more than the " + text::size(options_.max_file) +
                                          " that a file may have (SANDBOX_MAX_FILE_SIZE): make it smaller."};
  }
  if (auto reserved = reserve(name, size); !reserved) return reserved.failure();
  const std::string id = random_uuid();
  Entry entry{
      caller.user, name, openwebui::content_type_of(name), size, now() + options_.time_to_live.count(), 0};
  if (auto saved = save(id, entry, bytes, deadline, cancel); !saved) {
    std::error_code ignored;
    fs::remove_all(folder_ / id, ignored);
    if (saved.failure().reason == Reason::capacity) log::warn(saved.failure().message);
    const std::lock_guard lock(mutex_);
    used_ -= size;
    return saved.failure();
  }
  const std::lock_guard lock(mutex_);
  entry.number = ++uploads_;
  entries_[id] = entry;
  return StoredFile{.name = name, .link = link_of(id, entry)};
}

Result<void> LinkStore::reserve(const std::string& name, std::uint64_t size) {
  const auto fits = [&] {
    return entries_.size() < most_files && used_ <= options_.capacity && size <= options_.capacity - used_;
  };
  std::unique_lock lock(mutex_);
  if (!fits()) {
    lock.unlock();
    sweep();
    lock.lock();
  }
  if (!fits()) {
    return Failure{Reason::capacity, "There is no room for the file " + text::quoted(name) +
                                         ": all kept files may have " + text::size(options_.capacity) +
                                         " together; try again when older ones have expired."};
  }
  used_ += size;
  return {};
}

// The description is written last: a folder without one is no file.
Result<void> LinkStore::save(const std::string& id, const Entry& entry, ByteSource& bytes, Time deadline,
                             const std::stop_token& cancel) const {
  const Failure full{Reason::capacity,
                     "The file " + text::quoted(entry.name) +
                         " could not be kept: STATE_DIR is full or not writable; the operator "
                         "should check it."};
  std::error_code error;
  fs::create_directory(folder_ / id, error);
  std::ofstream out(content_path(id), std::ios::binary);
  std::vector<char> buffer(piece);
  for (std::uint64_t done = 0; done < entry.size;) {
    if (auto going = may_go_on(deadline, cancel); !going) return going;
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(entry.size - done, buffer.size()));
    const auto count = bytes.read({buffer.data(), wanted});
    if (!count) return count.failure();
    if (*count == 0 || *count > wanted) {
      return Failure{Reason::invalid,
                     "The file " + text::quoted(entry.name) +
                         " changed while it was collected: close it before the program ends."};
    }
    if (!out.write(buffer.data(), static_cast<std::streamsize>(*count))) return full;
    done += *count;
  }
  out.close();
  const About about{entry.owner, entry.name, entry.content_type, entry.size, entry.expires};
  if (!out || !write_about(folder_ / id, about)) return full;
  return {};
}

Result<Opened> LinkStore::open(const std::string& path, const std::string& query) const {
  if (!path.starts_with(route)) return dead_link();
  const std::string rest = path.substr(route.size());
  const auto slash = rest.find('/');
  if (slash == std::string::npos) return dead_link();
  const std::string id = text::lower(rest.substr(0, slash));
  const std::string name = rest.substr(slash + 1);
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end()) return dead_link();
  const Entry& entry = found->second;
  // The route may have decoded the path already.
  const bool named = name == entry.name || encoding::from_percent(name) == entry.name;
  const bool untouched = value_of(query, "expires") == std::to_string(entry.expires) &&
                         signer_.is_signed(signed_text(id, entry), value_of(query, "signature"));
  if (!named || !untouched || entry.expires <= now()) return dead_link();
  return Opened{.path = content_path(id), .name = entry.name, .content_type = entry.content_type};
}

std::size_t LinkStore::sweep() {
  std::vector<std::string> expired;
  {
    const std::lock_guard lock(mutex_);
    for (auto entry = entries_.begin(); entry != entries_.end();) {
      if (entry->second.expires > now()) {
        ++entry;
        continue;
      }
      used_ -= entry->second.size;
      expired.push_back(entry->first);
      entry = entries_.erase(entry);
    }
  }
  for (const std::string& id : expired) {
    std::error_code error;
    fs::remove_all(folder_ / id, error);
    if (error)
      log::warn("The expired file " + text::quoted((folder_ / id).string()) + " cannot be removed (" +
                error.message() + "): remove it by hand.");
  }
  return expired.size();
}

fs::path LinkStore::content_path(const std::string& id) const {
  return folder_ / id / "content";
}

std::string LinkStore::link_of(const std::string& id, const Entry& entry) const {
  std::string base = options_.public_url;
  while (base.ends_with('/')) base.pop_back();
  return base + route + id + "/" + encoding::to_percent(entry.name) +
         "?expires=" + std::to_string(entry.expires) + "&signature=" + signer_.sign(signed_text(id, entry));
}

std::int64_t LinkStore::now() const {
  return std::chrono::duration_cast<std::chrono::seconds>(clock_.wall().time_since_epoch()).count();
}

std::string LinkStore::signed_text(const std::string& id, const Entry& entry) {
  return "codebox file 1\n" + id + "\n" + std::to_string(entry.expires) + "\n" + entry.name;
}

}  // namespace codebox::store
