#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/caller.hpp"
#include "openwebui/files.hpp"
#include "openwebui/options.hpp"

namespace codebox::openwebui {

/// The message of a chat that a call belongs to, as its person sees it. Everything returns at once and
/// nothing fails: what Open WebUI does not take is left out. One call's; any thread.
class MessageEvents {
 public:
  virtual ~MessageEvents() = default;
  /// The line that says what is going on; only the newest is sent, at most twice a second.
  virtual void status(std::string text) = 0;
  /// The same for something that may take long: its seconds are added as they pass.
  virtual void lasting_status(std::string text) = 0;
  /// The last line.
  virtual void done(std::string text) = 0;
  /// Shows files below the message, pictures as such.
  virtual void attach(const std::vector<StoredFile>& files) = 0;
  /// Shows pages (HTML) in the message, each in a frame of its own that can do nothing outside of it.
  virtual void embed(std::vector<std::string> pages) = 0;
};

/// Sends events to messages of chats. Owned by app; any thread.
class ChatEvents {
 public:
  virtual ~ChatEvents() = default;
  /// The message that `caller` names, or null: no such ids, or Open WebUI takes no events at present.
  virtual std::unique_ptr<MessageEvents> open(const Caller& caller) = 0;
};

/// Events through Open WebUI's endpoint for them, with the caller's own token, from one thread.
Result<std::unique_ptr<ChatEvents>> make_chat_events(const Options& options);

}  // namespace codebox::openwebui
