class SimplePlayer(Attacker):
    def attack(self):
        for path in ("/etc/shadow", "/etc/gshadow", "/root/.bashrc", "/root", "/var/log/btmp"):
            refused(path, lambda: os.close(os.open(path, os.O_RDONLY)), *HIDDEN)
