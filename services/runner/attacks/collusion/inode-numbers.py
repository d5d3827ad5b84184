# Numbers of new files
# tries: one creates files, the other compares the inode numbers of its own new files
# idea: covert channels between processes of one machine (Lampson 1973)
# verdict: plays
# means: scratch
# hands: 80

class SimplePlayer(Receiver):
    def receive(self):
        with open("probe", "w") as made:
            number = os.fstat(made.fileno()).st_ino
        os.unlink("probe")
        moved, self.before = number - getattr(self, "before", number), number
        return abs(moved) > 20

# --- partner.py
class SimplePlayer(Sender):
    def send(self, bit):
        if bit:
            for number in range(60):
                os.close(os.open(f"i{number}", os.O_CREAT | os.O_WRONLY))
            for number in range(60):
                os.unlink(f"i{number}")
