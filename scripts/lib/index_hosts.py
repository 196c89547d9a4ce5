"""index_hosts.py HOST...: prints the hosts between commas when one of them has no public address here, as where a company
serves its own copy under the public name: sandboxes reach such a host only if SANDBOX_ALLOWED_HOSTS lists it."""
import ipaddress
import socket
import sys


def is_public(host: str) -> bool:
    try:
        found = {entry[4][0] for entry in socket.getaddrinfo(host, 443, type=socket.SOCK_STREAM)}
    except OSError:
        return True
    return all(ipaddress.ip_address(address.split("%")[0]).is_global for address in found)


if not all(map(is_public, sys.argv[1:])):
    print(",".join(sys.argv[1:]))
