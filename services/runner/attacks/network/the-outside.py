# Calls somebody outside
# tries: looks up names and connects to addresses, the metadata service and a mail server
# idea: exfiltration
# verdict: plays
# means: seccomp, landlock
# pod: true

import socket
import urllib.request


class SimplePlayer(Attacker):
    def attack(self):
        for name, attempt in (("a name", lambda: socket.getaddrinfo("example.com", 80)), ("an address", lambda: socket.create_connection(("192.0.2.1", 80), 1)),
                              ("metadata", lambda: socket.create_connection(("169.254.169.254", 80), 1)), ("HTTP", lambda: urllib.request.urlopen("http://192.0.2.1/", timeout=1))):
            try:
                attempt()
                escaped(name, "answered")
            except OSError as error:
                reason = getattr(error, "reason", error)
                say("unsure" if isinstance(reason, TimeoutError) else "held", name, reason)
