#pragma once

namespace codebox::engine {

/// The body of `codebox launcher CONTROL CONFIG`: the only process that opens the container engine's socket.
/// The last two arguments are inherited descriptors: a SOCK_SEQPACKET socket to the server, and a file with
/// what it is told at its start. It serves until that socket ends, removes every container that it made, and
/// returns the exit status. Never started by hand; launch() does it. Called
/// once, on the main thread.
int launcher_main(int argc, char** argv);

}  // namespace codebox::engine
