class SimplePlayer(Sender):
    def send(self, bit):
        time.sleep(0.03 if bit else 0)
