#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "openwebui/files.hpp"

/// What a name means among the files of a caller. Pure functions; any thread.
namespace codebox::openwebui {

/// Those of `files` (newest first) that a person who says `name` may mean: of exactly this name, else of one
/// that differs in case, spaces and underscores. Of several that programs made under one name the newest
/// stands for all.
std::vector<KnownFile> named(const std::vector<KnownFile>& files, std::string_view name);
/// Names of `files` that are like `name`, the most like first.
std::vector<std::string> like(const std::vector<KnownFile>& files, std::string_view name);

/// Why `name` means none of `files`, with names that are like it.
Failure no_such_file(std::string_view name, const FileList& known);
/// Why `name` means none of `files` more than another, with the candidates.
Failure several_files(std::string_view name, const std::vector<KnownFile>& files);
/// What list_files answers.
std::string listing(const FileList& known);

}  // namespace codebox::openwebui
