#pragma once
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "sandbox/sandbox.hpp"

namespace codebox::run {

/// The files of a finished install that may go into a layer, by path, ascending; a failure names what may not
/// be in one. The listing comes from a sandbox where strangers' install code ran: nothing of it is believed.
/// `read` gives the content of a small file of the listing. Pure but for `read`.
Result<std::vector<sandbox::Found>> layer_files(
    const sandbox::Listing& listing, std::uint64_t most_bytes,
    const std::function<Result<std::string>(const sandbox::Found&)>& read);

}  // namespace codebox::run
