#pragma once
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace codebox::support {

/// A folder with key.pem and a self-signed cert.pem for "localhost".
class Authority {
 public:
  /// In force from `begins` to `ends`, in seconds from now.
  explicit Authority(long begins = -3600, long ends = 86400) {
    std::string pattern = (std::filesystem::temp_directory_path() / "codebox-tls-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    EVP_PKEY* const key = EVP_EC_gen("P-256");
    X509* const certificate = X509_new();
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), begins);
    X509_gmtime_adj(X509_getm_notAfter(certificate), ends);
    X509_set_pubkey(certificate, key);
    X509_NAME* const name = X509_get_subject_name(certificate);
    const std::string common = "localhost";
    X509_NAME_add_entry_by_NID(name, NID_commonName, MBSTRING_ASC, bytes(common), -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    add(certificate, NID_basic_constraints, "critical,CA:TRUE");
    add(certificate, NID_subject_alt_name, "DNS:localhost");
    X509_sign(certificate, key, EVP_sha256());
    write("key.pem",
          [&](std::FILE* out) { PEM_write_PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr); });
    write("cert.pem", [&](std::FILE* out) { PEM_write_X509(out, certificate); });
    X509_free(certificate);
    EVP_PKEY_free(key);
  }
  ~Authority() { std::filesystem::remove_all(folder_); }
  Authority(const Authority&) = delete;
  Authority& operator=(const Authority&) = delete;

  std::string key() const { return folder_ / "key.pem"; }
  std::string certificate() const { return folder_ / "cert.pem"; }

 private:
  static const unsigned char* bytes(const std::string& text) {
    return reinterpret_cast<const unsigned char*>(text.c_str());
  }

  static void add(X509* certificate, int kind, const char* value) {
    X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value);
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
  }

  template <class Writer>
  void write(const char* name, Writer writer) const {
    std::FILE* const out = std::fopen((folder_ / name).c_str(), "w");
    writer(out);
    std::fclose(out);
  }

  std::filesystem::path folder_;
};

}  // namespace codebox::support
