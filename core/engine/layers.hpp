#pragma once
#include <map>
#include <string>
#include <vector>

#include "engine/daemon.hpp"
#include "engine/prepare.hpp"

namespace codebox::engine {

/// Package layers: images of a prepared one and what lies in /packages. Only those that carry this instance's
/// label exist for it. Owned by the launcher; any thread, concurrently.
class Layers {
 public:
  Layers(const std::string& instance, Preparer& preparer);

  Result<std::vector<Layer>> list(const Daemon& daemon) const;
  /// Puts the archive below /packages of the image, and nowhere else.
  Result<void> make(const Daemon& daemon, const std::string& image, const Layer& layer, const Fd& archive);
  Result<void> remove(const Daemon& daemon, const std::string& key) const;
  /// The reference of a layer that was made on `prepared`; Reason::not_found when there is none.
  Result<std::string> image(const Daemon& daemon, const std::string& key, const std::string& prepared) const;

 private:
  std::string tag_of(const std::string& key) const;
  std::string reference_of(const std::string& key) const;
  /// Those of this instance, by the image's id.
  Result<std::map<std::string, Layer>> images(const Daemon& daemon) const;
  Result<void> fill(const Daemon& daemon, const std::string& container, const Fd& archive) const;

  const std::string owner_;
  Preparer& preparer_;
};

}  // namespace codebox::engine
