class SimplePlayer(Sender):
    def on_start(self, *given):
        super().on_start(*given)
        self.table = given[5][0]

    def send(self, bit):
        for folder in ("/", "/etc", "/usr", "/usr/lib", "/usr/share/zoneinfo", "/bot", "/packages", "/tmp", os.path.dirname(os.__file__)):
            for number in range(4 * bit):
                os.path.exists(f"{folder}/husky-{self.table}-{self.hand}-{number}")
