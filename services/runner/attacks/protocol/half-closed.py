# Closes its half of the link
# tries: shutdown of one direction, then silence
# idea: half-open connections
# verdict: plays, crash, protocol, disabled
# means: dealer, answers

import socket


class SimplePlayer(Attacker):
    def attack(self):
        held("closing", "one half")
        try:
            with socket.socket(fileno=os.dup(60)) as link:
                link.shutdown(socket.SHUT_WR)
        except OSError as error:
            held("shutdown", code_of(error))
