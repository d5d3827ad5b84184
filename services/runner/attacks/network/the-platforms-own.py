# Calls the platform's services
# tries: connects to the seat host, the dealer, services, PostgreSQL and NATS on this machine
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp, landlock
# pod: true

import socket


class SimplePlayer(Attacker):
    def attack(self):
        def connect(family, address):
            with socket.socket(family) as link:
                link.settimeout(1)
                link.connect(address)
        for path in ("host.sock", "../host.sock", "../../host.sock", "../seat-1.sock", "/run/husky/host.sock", "\0husky-seat-uid-61000"):
            refused(f"unix {path!r}", lambda: connect(socket.AF_UNIX, path), *HIDDEN)
        for port in (4222, 5432, 8080, 8222, 50051, 9090, 6443, 10250):
            refused(f"port {port}", lambda: connect(socket.AF_INET, ("127.0.0.1", port)))
