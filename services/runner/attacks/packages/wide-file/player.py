# stands alone: it is refused at upload
class SimplePlayer:
    pass
