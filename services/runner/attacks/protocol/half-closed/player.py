import socket


class SimplePlayer(Attacker):
    def attack(self):
        held("closing", "one half")
        try:
            with socket.socket(fileno=os.dup(60)) as link:
                link.shutdown(socket.SHUT_WR)
        except OSError as error:
            held("shutdown", code_of(error))
