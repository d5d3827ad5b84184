# Writes outside its folder
# tries: writes files in every world-writable folder and beside its own folder
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: landlock, own-user

class SimplePlayer(Attacker):
    def attack(self):
        for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock", "..", "../..", "/dev/mqueue", "/var/crash"):
            refused(f"a file in {folder}", lambda: open(os.path.join(folder, MARK), "w"), *HIDDEN)
            refused(f"a folder in {folder}", lambda: os.mkdir(os.path.join(folder, MARK + "-d")), *HIDDEN, errno.EEXIST)
