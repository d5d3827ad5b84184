class SimplePlayer(Sender):
    def send(self, bit):
        if bit:
            for number in range(60):
                os.close(os.open(f"i{number}", os.O_CREAT | os.O_WRONLY))
            for number in range(60):
                os.unlink(f"i{number}")
