# Times of a neighbour's folder
# tries: one writes a file, the other reads times and sizes of the folders beside its own
# idea: tried by strangers against this platform
# verdict: plays
# means: scratch
# hands: 80

class SimplePlayer(Receiver):
    def receive(self):
        parent, own = os.path.split(os.getcwd())
        seen = []
        for seat in range(6):
            if f"seat-{seat}" != own:
                try:
                    one = os.stat(os.path.join(parent, f"seat-{seat}"))
                    seen.append((one.st_mtime_ns, one.st_size))
                except OSError as error:
                    self.once("held", "a neighbour's folder", code_of(error))
        changed, self.before = seen != getattr(self, "before", seen), seen
        return changed

# --- partner.py
class SimplePlayer(Sender):
    def send(self, bit):
        if bit:
            os.close(os.open(f"f{self.hand}", os.O_CREAT | os.O_WRONLY))
            os.unlink(f"f{self.hand}")
