import signal


class SimplePlayer(Attacker):
    def attack(self):
        caught = 0
        for number in range(1, 65):
            try:
                signal.signal(number, signal.SIG_IGN)
                caught += 1
            except (OSError, ValueError):
                pass
        held("handlers", f"{caught} signals ignored; SIGKILL still ends it")
