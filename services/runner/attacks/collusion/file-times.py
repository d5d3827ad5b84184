# Precise times of files
# tries: one changes a file of its own whose time it has read, which gives it a precise time; the other looks whether a new file of its own has a precise time
# idea: multigrain timestamps of Linux 6.13: no file gets a time before the newest precise one
# verdict: plays
# means: dealer
# hands: 80

class SimplePlayer(Receiver):
    def receive(self):
        with open("new", "wb") as file:
            age_ns = time.time_ns() - os.fstat(file.fileno()).st_ctime_ns
        os.unlink("new")
        return age_ns < 400_000

# --- partner.py
class SimplePlayer(Sender):
    def send(self, bit):
        with open("stamp", "wb", buffering=0) as file:
            for _ in range(4 * bit):
                file.write(b"x")
                os.fstat(file.fileno())
