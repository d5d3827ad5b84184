import fcntl


class SimplePlayer(Receiver):
    def receive(self):
        with open(os.__file__) as shared:
            return fcntl.fcntl(shared, 1025) != 2
