#include <grp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <codebox/plugin.hpp>
#include <csignal>
#include <cstdlib>
#include <vector>

// Boost 1.74's library_info uses std::vector without including it, hence the order.
#define BOOST_DLL_USE_STD_FS
#include <boost/dll/shared_library.hpp>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "plugin/descriptor.hpp"
#include "plugin/finding.hpp"
#include "plugin/host.hpp"
#include "plugin/limits.hpp"
#include "plugin/spec_json.hpp"
#include "plugin/tool.hpp"
#include "plugin/tool_host.hpp"

namespace codebox::plugin {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool shadow_memory = true;  // a sanitizer reserves terabytes of addresses
#else
constexpr bool shadow_memory = false;
#endif

void limit(__rlimit_resource_t what, rlim_t soft, rlim_t hard) {
  const rlimit value{soft, hard};
  ::setrlimit(what, &value);
}

/// Gives up everything that the child can give up. What the system does not let it give up (a user namespace
/// without "nobody") it keeps: it holds no secret in any case.
void drop_privileges(rlim_t seconds) {
  limit(RLIMIT_CPU, seconds, seconds + 1);
  limit(RLIMIT_NOFILE, open_files, open_files);
  limit(RLIMIT_CORE, 0, 0);
  limit(RLIMIT_FSIZE, 0, 0);
  if (!shadow_memory) limit(RLIMIT_AS, address_space, address_space);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (::geteuid() == 0) {
    constexpr unsigned nobody = 65534;
    if (::setgroups(0, nullptr) == 0 && ::setresgid(nobody, nobody, nobody) == 0 &&
        ::setresuid(nobody, nobody, nobody) == 0) {
      // The change of user closed /proc/self/fd, through which the library is opened.
      ::prctl(PR_SET_DUMPABLE, 1);
    }
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

void remember(void* ctx, const char* reason) {
  if (reason) *static_cast<std::string*>(ctx) = std::string(text::prefix(text::one_line(reason), 300));
}

const void* no_extension(void*, const char*) {
  return nullptr;
}

Checked<LanguageSpec> accept(const cbx_plugin& descriptor) {
  if (descriptor.size < offsetof(cbx_plugin, id)) {
    return Finding{"rule", std::string(sdk::rule(sdk::fault::size))};
  }
  if (descriptor.abi_major != CBX_ABI_MAJOR) {
    return Finding{
        "major",
        "The plugin speaks version " + std::to_string(descriptor.abi_major) +
            " of the plugin contract, this server speaks version 1; rebuild it with this server's SDK."};
  }
  if (descriptor.need_minor > CBX_ABI_MINOR) {
    return Finding{"minor", "The plugin needs version 1." + std::to_string(descriptor.need_minor) +
                                " of the plugin contract, this server has 1." +
                                std::to_string(CBX_ABI_MINOR) + "; use a newer server or an older plugin."};
  }
  if (const auto broken = sdk::check(descriptor); broken != sdk::fault::none) {
    return Finding{"rule", std::string(sdk::rule(broken))};
  }
  LanguageSpec spec = copy_descriptor(descriptor);
  if (const cbx_tools* tools = tools_of(descriptor)) {
    if (const auto broken = sdk::check(*tools); broken != sdk::fault::none)
      return Finding{"rule", std::string(sdk::rule(broken))};
    spec.tools = copy_tools(*tools);
  }
  return spec;
}

/// The plugin's descriptor, which has not been looked at yet.
Checked<const cbx_plugin*> load(boost::dll::shared_library& library, const std::string& path) {
  using boost::dll::load_mode::rtld_local;
  using boost::dll::load_mode::rtld_now;
  try {
    library.load(boost::dll::fs::path(path), rtld_now | rtld_local);
  } catch (const std::exception& error) {
    return Finding{"symbol", "The library cannot be loaded: " +
                                 std::string(text::prefix(text::one_line(error.what()), 300))};
  }
  if (!library.has(CBX_ENTRY_NAME)) {
    return Finding{"entry", "The library does not export " CBX_ENTRY_NAME
                            "; it is not a Codebox plugin, or its entry is hidden."};
  }
  std::string declined;
  cbx_host host;
  host.ctx = &declined;
  host.version = "1.0";
  host.fail = remember;
  host.extension = no_extension;
  const cbx_plugin* descriptor = library.get<const cbx_plugin*(const cbx_host*)>(CBX_ENTRY_NAME)(&host);
  if (descriptor) return descriptor;
  if (!declined.empty()) return Finding{"declined", "The plugin declined to load: " + declined};
  return Finding{"null", "The plugin's entry returned no descriptor and no reason."};
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

/// What the library is, as the server reads it.
std::string describe(boost::dll::shared_library& library) {
  const auto loaded = load(library, "/proc/self/fd/" + std::to_string(library_descriptor));
  const Finding* fault = finding(loaded);
  const auto accepted = fault ? Checked<LanguageSpec>(*fault) : accept(*std::get<const cbx_plugin*>(loaded));
  fault = finding(accepted);
  if (!fault) return encode(std::get<LanguageSpec>(accepted));
  return nlohmann::json{{"finding", fault->id}, {"reason", fault->reason}}.dump();
}

/// One call of a tool of a library that was accepted before.
bool call(boost::dll::shared_library& library, const std::string& tool) {
  const auto loaded = load(library, "/proc/self/fd/" + std::to_string(library_descriptor));
  const auto* descriptor = std::get_if<const cbx_plugin*>(&loaded);
  return descriptor && !finding(accept(**descriptor)) && serve_tool(**descriptor, tool, answer_descriptor);
}

}  // namespace

int plugin_host_main(int argc, char** argv) {
  const bool calling = argc == 5;
  if ((argc != 3 && !calling) || argv[2] != std::to_string(library_descriptor)) return 2;
  drop_privileges(calling ? std::strtoul(argv[4], nullptr, 10) : cpu_seconds);
  boost::dll::shared_library library;
  bool good = false;
  std::string answer;
  try {
    if (calling) {
      good = call(library, argv[3]);
    } else {
      answer = describe(library);
    }
  } catch (const std::exception& error) {
    answer = nlohmann::json{{"finding", "crashed"},
                            {"reason", "The plugin threw: " + text::one_line(error.what())}}
                 .dump();
  }
  if (!calling) good = write_all(answer_descriptor, answer);
  // Without running anything more of the library: what it registered for the end of the process is not
  // wanted.
  ::_exit(good ? 0 : 1);
}

}  // namespace codebox::plugin
