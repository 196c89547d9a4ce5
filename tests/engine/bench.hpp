#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/api.hpp"
#include "engine/client.hpp"

/// What the live tests share: an engine that answers, an image that holds the echo program, and ways to look
/// at the engine past the launcher. One test at a time.
namespace bench {

using namespace codebox;
using namespace codebox::engine;

/// The socket to test on (CONTAINER_HOST or Docker's); skips the test where no engine answers.
std::string endpoint();
/// An image of the echo program alone, imported once per test program.
std::string image();
/// The same with Dockerfile instructions such as "VOLUME /data", already percent-encoded; tagged "changed".
std::string changed_image(const std::string& changes);
LauncherOptions options(const std::string& instance);
/// A name that no other test run uses.
std::string fresh_instance();
std::unique_ptr<Engine> engine(const LauncherOptions& options);
CreateSpec spec();

/// Says a line to the echo program and gives what it prints up to and with the line `end`, or one line.
std::string talk(Container& container, const std::string& line, const std::string& end = "");

nlohmann::json inspect(const std::string& id);
bool exists(const std::string& id);
/// Waits, with a generous deadline.
bool eventually(const std::function<bool()>& condition,
                std::chrono::seconds patience = std::chrono::seconds(30));
/// The process id of the launcher that this process started last.
int launcher_pid();

}  // namespace bench
