# The link used as a socket
# tries: sends descriptors, sets options, asks for the peer, listens, all on the link to the dealer
# idea: SCM_RIGHTS garbage cycles, CVE-2021-0920
# verdict: plays
# means: seccomp

import array
import socket


class SimplePlayer(Attacker):
    def attack(self):
        link = socket.socket(fileno=os.dup(60), family=socket.AF_UNIX, type=socket.SOCK_STREAM, proto=0)
        refused("passing descriptors", lambda: link.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))]))
        refused("a buffer of 64 MiB", lambda: link.setsockopt(socket.SOL_SOCKET, 32, 64 << 20))
        refused("the peer's process", lambda: link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        refused("connecting elsewhere", lambda: link.connect("/run/husky/host.sock"))
        refused("listening", lambda: link.listen(1))
