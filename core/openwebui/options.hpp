#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "openwebui/files.hpp"

namespace codebox::openwebui {

/// Where Open WebUI is and how it is trusted, from the operator's settings. Plain value.
struct Options {
  std::string base_url;    ///< OWUI_BASE_URL: http or https, may have a path; a trailing slash is ignored
  bool verify_tls = true;  ///< OWUI_VERIFY_TLS
  std::string ca_bundle;   ///< OWUI_CA_BUNDLE: a PEM file; empty means the machine's own authorities
  std::string
      public_url;  ///< OWUI_PUBLIC_URL: put before links; empty means links relative to Open WebUI's page
  std::uint64_t max_file = 52428800;          ///< SANDBOX_MAX_FILE_SIZE, for uploads
  std::vector<std::string> embed_hosts = {};  ///< OWUI_EMBED_HOSTS: from which a page in a chat may load
};

/// Files over Open WebUI's REST API with the caller's own token. Fails when the options cannot work.
Result<std::unique_ptr<Files>> make_files(const Options& options);

}  // namespace codebox::openwebui
