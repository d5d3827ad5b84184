# Makes and removes files
# tries: 20,000 files made and removed, renames between them
# idea: journals
# verdict: plays
# means: scratch, clock

class SimplePlayer(Attacker):
    def attack(self):
        end, count = time.monotonic() + 0.8, 0
        try:
            while time.monotonic() < end:
                os.close(os.open("churn", os.O_CREAT | os.O_WRONLY))
                os.rename("churn", "churned")
                os.unlink("churned")
                count += 1
        except OSError as error:
            note("stopped by", code_of(error))
        held("churn", f"{count} files on its own time")
