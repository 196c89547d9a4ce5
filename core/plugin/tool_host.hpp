#pragma once
#include <codebox/plugin.h>

#include <string>

/// Tools within the plugin host child, on its main thread.
namespace codebox::plugin {

/// The plugin's tools, where it has the extension; else null.
const cbx_tools* tools_of(const cbx_plugin& plugin);

/// Reads the arguments of one call from `socket`, has the tool called, and writes what it says there, line by
/// line. False where there is nobody to write to or no such tool.
bool serve_tool(const cbx_plugin& plugin, const std::string& name, int socket);

}  // namespace codebox::plugin
