#pragma once
#include <map>
#include <memory>
#include <mutex>

#include "mcp/tools.hpp"
#include "plugin/language.hpp"
#include "quota/quota.hpp"
#include "run/runner.hpp"

namespace codebox::app {

/// The tools of this server: list_files, and for every loaded language that SANDBOX_LANGUAGES names run_<id>,
/// list_<id>_packages and those that its plugin brings itself. Owned by the server's graph; any thread. The
/// languages may be exchanged while calls run; each call keeps the language that it began with.
class Toolbox : public mcp::Tools {
 public:
  Toolbox(std::shared_ptr<const plugin::Registry> registry, const run::Options& options, run::Runner& runner,
          quota::Quota& quota, openwebui::Files& files);

  /// The languages from now on.
  void replace(std::shared_ptr<const plugin::Registry> registry);
  std::shared_ptr<const plugin::Registry> registry() const;

  std::vector<mcp::ToolInfo> list() const override;
  std::uint64_t edition() const override;
  bool has(const std::string& name) const override;
  std::string input_schema(const std::string& name) const override;
  /// Says in the descriptions what the images have, as far as that is known. Asks the engine.
  void describe_images();
  mcp::ToolResult call(const std::string& name, nlohmann::json arguments, const Caller& caller,
                       std::stop_token cancel, const mcp::Tell& tell) override;

 private:
  struct Tool {
    mcp::ToolInfo info;
    std::shared_ptr<const plugin::LanguageSpec> language;  ///< null for list_files
    enum class Kind { run, packages, files, own } kind = Kind::run;
    std::size_t index = 0;  ///< of a plugin's own tool, in its language's list
  };

  /// Never changes once it is there.
  struct Offer {
    std::shared_ptr<const plugin::Registry> registry;
    std::vector<Tool> tools;
    const Tool* find(const std::string& name) const;
    void add(const std::shared_ptr<const plugin::LanguageSpec>& language, const run::Options& options);
  };

  std::shared_ptr<const Offer> make(std::shared_ptr<const plugin::Registry> registry) const;
  std::shared_ptr<const Offer> now() const;
  mcp::ToolResult call_own(const Tool& tool, const nlohmann::json& arguments, std::stop_token cancel,
                           const mcp::Tell& tell) const;
  mcp::ToolResult list_files(const Caller& caller, std::stop_token cancel);

  const run::Options& options_;
  run::Runner& runner_;
  quota::Quota& quota_;
  openwebui::Files& files_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Offer> offer_;
  std::map<std::string, std::string> contents_;  // tool -> what its image has
  std::uint64_t edition_ = 1;
};

}  // namespace codebox::app
