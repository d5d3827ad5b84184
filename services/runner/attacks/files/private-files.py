# Files that only their owner may read
# tries: opens the machine's password hashes and private keys, which on some machines only file modes protect
# idea: containers whose root is the machine's root
# verdict: plays
# means: landlock, own-user
# pod: true

class SimplePlayer(Attacker):
    def attack(self):
        for path in ("/etc/shadow", "/etc/gshadow", "/root/.bashrc", "/root", "/var/log/btmp"):
            refused(path, lambda: os.close(os.open(path, os.O_RDONLY)), *HIDDEN)
