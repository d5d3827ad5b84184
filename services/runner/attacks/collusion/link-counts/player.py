class SimplePlayer(Receiver):
    def receive(self):
        me = os.getcwd()
        parent, own = os.path.split(me)
        counts = []
        for seat in range(6):
            if f"seat-{seat}" != own:
                counts.append(os.stat(os.path.join(parent, f"seat-{seat}")).st_nlink)
        return max(counts, default=2) > 2
