# Uses up inodes
# tries: makes 20,000 empty files in its folder
# idea: inode exhaustion of shared hosts
# verdict: plays, crash
# means: scratch, sampler

class SimplePlayer(Attacker):
    def attack(self):
        until("files", lambda number: os.close(os.open(f"f{number}", os.O_CREAT | os.O_WRONLY)), 20_000, "files", 8000)
