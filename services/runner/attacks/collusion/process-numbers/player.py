class SimplePlayer(Sender):
    def send(self, bit):
        if bit:
            for _ in range(200):
                thread = threading.Thread(target=int)
                thread.start()
                thread.join()
