# Any socket at all
# tries: unix, internet, netlink, raw, packet and vsock sockets; a socket pair is permitted, but no descriptors or addresses on it
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp, landlock

import socket


class SimplePlayer(Attacker):
    def attack(self):
        for family in ("AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET", "AF_VSOCK", "AF_ALG"):
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
                refused(f"{family} {kind.name}", lambda: socket.socket(getattr(socket, family), kind))
        try:
            one, other = socket.socketpair()
        except OSError as error:
            held("socketpair", code_of(error))
        else:
            for name, kind in (("datagram pair", socket.SOCK_DGRAM), ("packet pair", socket.SOCK_SEQPACKET)):
                refused(name, lambda: socket.socketpair(socket.AF_UNIX, kind))
            refused("descriptors over a pair", lambda: one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, b"\0\0\0\0")]))
            refused("an address over a pair", lambda: one.sendto(b"x", "/run/husky/host.sock"))
            refused("binding a pair", lambda: one.bind("\0husky-attack"))
            refused("connecting a pair", lambda: one.connect("/run/husky/host.sock"))
