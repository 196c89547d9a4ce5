#include <iostream>
#include <string_view>

#include "plugin/host.hpp"

/// `plugin-host FD` is the child of load_folder; `load FOLDER ID` says whether exactly this language loads
/// from there.
int main(int argc, char** argv) {
  const std::string_view verb = argc > 1 ? argv[1] : "";
  if (verb == "plugin-host") return codebox::plugin::plugin_host_main(argc, argv);
  if (verb != "load" || argc != 4) return 2;
  const auto registry = codebox::plugin::load_folder(argv[0], argv[2]);
  if (!registry) {
    std::cerr << registry.failure().message << "\n";
    return 1;
  }
  for (const auto& refusal : (*registry)->refused) {
    std::cerr << refusal.file << ": " << refusal.finding << ": " << refusal.reason << "\n";
  }
  return (*registry)->languages.size() == 1 && (*registry)->find(argv[3]) ? 0 : 1;
}
