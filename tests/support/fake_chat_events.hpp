#pragma once
#include <string>
#include <vector>

#include "openwebui/chat_events.hpp"

namespace codebox::testing {

/// Remembers what a chat would show. One thread.
class FakeChatEvents : public openwebui::ChatEvents {
 public:
  std::vector<std::string> said;
  std::vector<openwebui::StoredFile> attached;
  std::vector<std::string> embedded;

  std::unique_ptr<openwebui::MessageEvents> open(const Caller&) override {
    return std::make_unique<Message>(*this);
  }

 private:
  class Message : public openwebui::MessageEvents {
   public:
    explicit Message(FakeChatEvents& chat) : chat_(chat) {}
    void status(std::string text) override { chat_.said.push_back(std::move(text)); }
    void lasting_status(std::string text) override { chat_.said.push_back(std::move(text) + "..."); }
    void done(std::string text) override { chat_.said.push_back("[" + text + "]"); }
    void attach(const std::vector<openwebui::StoredFile>& files) override { chat_.attached = files; }
    void embed(std::vector<std::string> pages) override { chat_.embedded = std::move(pages); }

   private:
    FakeChatEvents& chat_;
  };
};

}  // namespace codebox::testing
