class SimplePlayer(Receiver):
    def receive(self):
        values = []
        for pid in neighbours(12):
            try:
                values.append(os.getpriority(os.PRIO_PROCESS, pid))
            except OSError as error:
                self.once("held", "priority of another process", code_of(error))
        return max(values, default=0) > 0
