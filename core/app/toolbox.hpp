#pragma once
#include <map>
#include <memory>
#include <mutex>

#include "mcp/tools.hpp"
#include "plugin/language.hpp"
#include "quota/quota.hpp"
#include "run/runner.hpp"

namespace codebox::app {

/// The tools of this server: list_files, and run_<id> and list_<id>_packages for every loaded language that
/// SANDBOX_LANGUAGES names. Owned by the server's graph; any thread. Calls keep the language they began with.
class Toolbox : public mcp::Tools {
 public:
  Toolbox(std::shared_ptr<const plugin::Registry> registry, const run::Options& options, run::Runner& runner,
          quota::Quota& quota, openwebui::Files& files);

  std::vector<mcp::ToolInfo> list() const override;
  bool has(const std::string& name) const override;
  /// Says in the descriptions what the images have, as far as that is known. Asks the engine.
  void describe_images();
  mcp::ToolResult call(const std::string& name, const nlohmann::json& arguments, const Caller& caller,
                       std::stop_token cancel) override;

 private:
  struct Tool {
    mcp::ToolInfo info;
    std::shared_ptr<const plugin::LanguageSpec> language;  ///< null for list_files
    enum class Kind { run, packages, files } kind = Kind::run;
  };

  void add(const std::shared_ptr<const plugin::LanguageSpec>& language);
  mcp::ToolResult list_files(const Caller& caller, std::stop_token cancel);
  const Tool* find(const std::string& name) const;

  const std::shared_ptr<const plugin::Registry> registry_;
  const run::Options& options_;
  run::Runner& runner_;
  quota::Quota& quota_;
  openwebui::Files& files_;
  std::vector<Tool> tools_;
  mutable std::mutex mutex_;
  std::map<std::string, std::string> contents_;  // tool -> what its image has
};

}  // namespace codebox::app
