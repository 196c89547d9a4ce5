#include <nlohmann/json.hpp>
#include <vector>

#include "base/encoding.hpp"
#include "base/text.hpp"
#include "openwebui/chat_files.hpp"
#include "openwebui/client.hpp"
#include "openwebui/content_type.hpp"
#include "openwebui/file_names.hpp"
#include "openwebui/multipart.hpp"
#include "openwebui/options.hpp"
#include "openwebui/reference.hpp"

namespace codebox::openwebui {
namespace {

using nlohmann::json;

constexpr std::size_t piece = 64U << 10U;
constexpr int ok = 200;

std::string file_path(const std::string& id) {
  return "/api/v1/files/" + id;
}

Failure unexpected(int status, const char* doing) {
  return {Reason::offline,
          "Open WebUI answered with HTTP status " + std::to_string(status) + " while " + doing +
              ": try again; if it stays so, the operator finds the reason in Open WebUI's log."};
}

Failure signed_out() {
  return {Reason::unauthorized,
          "Open WebUI does not accept this person's sign-in any more: sign in to Open WebUI again."};
}

RemoteFile remote_file(const json& answer, const std::string& id) {
  const auto text_at = [](const json& value, const char* key) {
    return value.contains(key) && value.at(key).is_string() ? value.at(key).get<std::string>()
                                                            : std::string();
  };
  const json meta =
      answer.contains("meta") && answer.at("meta").is_object() ? answer.at("meta") : json::object();
  RemoteFile file{
      .id = id, .name = text_at(meta, "name"), .content_type = text_at(meta, "content_type"), .size = 0};
  if (file.name.empty()) file.name = text_at(answer, "filename");
  if (meta.contains("size") && meta.at("size").is_number_unsigned())
    file.size = meta.at("size").get<std::uint64_t>();
  file.name = std::string(base_name(file.name));
  return file;
}

/// Files of a running Open WebUI. Owned by app; any thread, concurrently: it holds nothing that changes.
class OpenWebUi : public Files {
 public:
  OpenWebUi(std::unique_ptr<Client> client, const Options& options)
      : client_(std::move(client)), public_url_(options.public_url), max_file_(options.max_file) {
    while (public_url_.ends_with('/')) public_url_.pop_back();
  }

  Result<RemoteFile> find(const Caller& caller, const std::string& reference, Time deadline,
                          std::stop_token cancel) override {
    const Reference wanted = parse_reference(reference);
    if (!wanted.id.empty()) return look_up(caller, wanted.id, reference, deadline, cancel);
    if (wanted.name.empty()) return unknown_file(reference);
    auto known = files_of(caller, deadline, cancel);
    if (!known) return known.failure();
    for (const std::string& name : {wanted.name, std::string(base_name(wanted.name))}) {
      auto found = named(known->files, name);
      if (found.empty() && !name.empty()) {
        auto own = searched(caller, name, deadline, cancel);
        if (!own) return own.failure();
        found = named(*own, name);
      }
      if (found.size() > 1) return several_files(reference, found);
      if (found.size() == 1)
        return under_name(look_up(caller, found[0].id, reference, deadline, cancel), name);
    }
    return no_such_file(base_name(wanted.name), *known);
  }

  Result<FileList> list(const Caller& caller, Time deadline, std::stop_token cancel) override {
    auto known = files_of(caller, deadline, cancel);
    if (!known || known->of_chat) return known;
    const auto reply = client_->exchange(
        {.path = "/api/v1/files/?page=1&content=false", .token = caller.token}, deadline, cancel);
    if (!reply) return reply.failure();
    if (reply->status == ok) return FileList{false, files_of_list(reply->body, caller.user)};
    return reply->status == 401 ? signed_out() : unexpected(reply->status, "files were listed");
  }

  Result<std::uint64_t> download(const Caller& caller, const RemoteFile& file, std::uint64_t limit,
                                 ByteSink& bytes, Time deadline, std::stop_token cancel) override {
    if (!is_uuid(file.id)) return unknown_file(file.id);
    if (file.size > limit) return too_large(file.name, file.size, limit);
    Request request{.path = file_path(file.id) + "/content", .token = caller.token};
    request.sink = &bytes;
    request.limit = limit;
    const auto reply = client_->exchange(request, deadline, cancel);
    if (!reply) return reply.failure();
    if (reply->status != ok)
      return refused(caller, reply->status, file.id, "a file was fetched", deadline, cancel);
    if (file.size > 0 && reply->bytes != file.size) {
      return Failure{Reason::offline, "Open WebUI sent " + text::size(reply->bytes) + " of the file " +
                                          text::quoted(file.name) + ", which has " + text::size(file.size) +
                                          ": try again."};
    }
    return reply->bytes;
  }

  Result<StoredFile> upload(const Caller& caller, const std::string& name, std::uint64_t size,
                            ByteSource& bytes, Time deadline, std::stop_token cancel) override {
    if (size == 0) {
      return Failure{Reason::invalid,
                     "The file " + text::quoted(name) +
                         " is empty, and Open WebUI stores no empty files: write something into it."};
    }
    if (size > max_file_) return too_large(name, size, max_file_);
    const Multipart form = multipart_of(name, content_type_of(name));
    Request request{.path = "/api/v1/files/?process=false", .token = caller.token};
    request.content_type = form.content_type;
    request.length = form.head.size() + size + form.tail.size();
    request.body = [&](ByteSink& sink) { return send(form, name, size, bytes, sink); };
    const auto reply = client_->exchange(request, deadline, cancel);
    if (!reply) return reply.failure();
    return stored(*reply, name, size);
  }

 private:
  static Failure too_large(const std::string& name, std::uint64_t size, std::uint64_t limit) {
    return {Reason::too_large, "The file " + text::quoted(name) + " has " + text::size(size) +
                                   ", more than the " + text::size(limit) +
                                   " that a file may have (SANDBOX_MAX_FILE_SIZE): make it smaller."};
  }

  static Result<void> send(const Multipart& form, const std::string& name, std::uint64_t size,
                           ByteSource& bytes, ByteSink& sink) {
    if (auto sent = sink.write(form.head); !sent) return sent;
    std::vector<char> buffer(piece);
    for (std::uint64_t sent = 0; sent < size;) {
      const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size - sent, buffer.size()));
      const auto count = bytes.read({buffer.data(), wanted});
      if (!count) return count.failure();
      if (*count == 0 || *count > wanted) {
        return Failure{Reason::invalid,
                       "The file " + text::quoted(name) +
                           " changed while it was collected: close it before the program ends."};
      }
      if (auto written = sink.write({buffer.data(), *count}); !written) return written;
      sent += *count;
    }
    return sink.write(form.tail);
  }

  Result<StoredFile> stored(const Reply& reply, const std::string& name, std::uint64_t size) const {
    if (reply.status == 401 || reply.status == 403) return signed_out();
    if (reply.status == 413) {
      return Failure{Reason::too_large, "Open WebUI refuses the file " + text::quoted(name) + " of " +
                                            text::size(size) + " as too large: make it smaller."};
    }
    if (reply.status != ok) return unexpected(reply.status, "a file was uploaded");
    const json answer = json::parse(reply.body, nullptr, false);
    const bool has_id = answer.is_object() && answer.contains("id") && answer.at("id").is_string();
    const std::string id = has_id ? answer.at("id").get<std::string>() : "";
    if (!is_uuid(id)) return unexpected(reply.status, "a file was uploaded, but named no id for it");
    return StoredFile{.name = name, .link = public_url_ + file_path(id) + "/content", .id = id, .size = size};
  }

  Result<RemoteFile> look_up(const Caller& caller, const std::string& id, const std::string& reference,
                             Time deadline, const std::stop_token& cancel) const {
    const auto reply = client_->exchange({.path = file_path(id), .token = caller.token}, deadline, cancel);
    if (!reply) return reply.failure();
    if (reply->status != ok)
      return refused(caller, reply->status, reference, "a file was looked up", deadline, cancel);
    const json answer = json::parse(reply->body, nullptr, false);
    if (answer.is_null()) return unknown_file(reference);
    if (!answer.is_object()) return unexpected(reply->status, "a file was looked up, but said nothing of it");
    return remote_file(answer, id);
  }

  // A program opens what it was told to find, so a file that was meant by a name goes by that name.
  static Result<RemoteFile> under_name(Result<RemoteFile> file, const std::string& name) {
    if (file) file->name = std::string(base_name(name));
    return file;
  }

  // The chat is only a hint from a header: one that is not this person's has no files.
  Result<FileList> files_of(const Caller& caller, Time deadline, const std::stop_token& cancel) const {
    if (!is_uuid(caller.chat)) return FileList{};
    const auto reply =
        client_->exchange({.path = "/api/v1/chats/" + caller.chat, .token = caller.token}, deadline, cancel);
    if (!reply) return reply.failure();
    if (reply->status != ok) return FileList{};
    return FileList{true, files_of_chat(reply->body)};
  }

  // The person's own files of exactly this name, from whatever chat.
  Result<std::vector<KnownFile>> searched(const Caller& caller, const std::string& name, Time deadline,
                                          const std::stop_token& cancel) const {
    const std::string query = "/api/v1/files/search?content=false&filename=" + encoding::to_percent(name);
    const auto reply = client_->exchange({.path = query, .token = caller.token}, deadline, cancel);
    if (!reply) return reply.failure();
    if (reply->status == ok) return files_of_list(reply->body, caller.user);
    const Failure why = refused(caller, reply->status, name, "a file was looked up", deadline, cancel);
    if (why.reason == Reason::not_found) return std::vector<KnownFile>();
    return why;
  }

  // Open WebUI says 401 also of single things that are not this person's; whether it means the token, another
  // question to it shows.
  Failure refused(const Caller& caller, int status, const std::string& reference, const char* doing,
                  Time deadline, const std::stop_token& cancel) const {
    if (status == 401) {
      const auto reply =
          client_->exchange({.path = "/api/v1/files/user/count", .token = caller.token}, deadline, cancel);
      if (!reply) return reply.failure();
      if (reply->status == 401) return signed_out();
    }
    if (status == 401 || status == 403 || status == 404 || status == 422) return unknown_file(reference);
    return unexpected(status, doing);
  }

  const std::unique_ptr<Client> client_;
  std::string public_url_;
  const std::uint64_t max_file_;
};

}  // namespace

Result<std::unique_ptr<Files>> make_files(const Options& options) {
  auto client = Client::make(options);
  if (!client) return client.failure();
  return std::unique_ptr<Files>(std::make_unique<OpenWebUi>(std::move(*client), options));
}

}  // namespace codebox::openwebui
