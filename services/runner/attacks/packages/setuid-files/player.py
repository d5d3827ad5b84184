import attacksuid


class SimplePlayer(Attacker):
    def attack(self):
        folder = os.path.dirname(attacksuid.__file__)
        for name in sorted(os.listdir(folder)):
            mode = os.stat(os.path.join(folder, name)).st_mode
            bounded(f"mode of {name}", mode & 0o6022, 0, "of setuid and writable bits")
