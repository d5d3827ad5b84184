class SimplePlayer(Receiver):
    def receive(self):
        with open("new", "wb") as file:
            age_ns = time.time_ns() - os.fstat(file.fileno()).st_ctime_ns
        os.unlink("new")
        return age_ns < 400_000
