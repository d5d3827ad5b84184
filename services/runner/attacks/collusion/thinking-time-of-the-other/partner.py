class SimplePlayer(Sender):
    def send(self, bit):
        if bit:
            end = time.thread_time() + 0.005
            while time.thread_time() < end:
                pass
