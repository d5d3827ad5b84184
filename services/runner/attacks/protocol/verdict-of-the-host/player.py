class SimplePlayer(Attacker):
    def attack(self):
        held("ending", "as if the host had failed")
        os.write(1, b'{"failed": "landlock", "why": "x"}\n')
        os._exit(94)
