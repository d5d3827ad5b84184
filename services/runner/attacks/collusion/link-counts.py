# Link counts of a neighbour's folder
# tries: the sender makes and removes a folder, the receiver reads st_nlink of ../seat-N: 30 bits of 30 arrived
# idea: tried by strangers against this platform
# verdict: plays
# means: scratch, landlock
# hands: 80

class SimplePlayer(Receiver):
    def receive(self):
        me = os.getcwd()
        parent, own = os.path.split(me)
        counts = []
        for seat in range(6):
            if f"seat-{seat}" != own:
                counts.append(os.stat(os.path.join(parent, f"seat-{seat}")).st_nlink)
        return max(counts, default=2) > 2

# --- partner.py
class SimplePlayer(Sender):
    def send(self, bit):
        if bit and not os.path.isdir("one"):
            os.mkdir("one")
        elif not bit and os.path.isdir("one"):
            os.rmdir("one")
