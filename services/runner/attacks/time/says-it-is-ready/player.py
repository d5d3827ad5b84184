say("begin")
held("name", kernel(157, 167, 15, ctypes.create_string_buffer(b"seat-0 ready"), 0, 0, 0))
threading.Event().wait()


class SimplePlayer(Attacker):
    pass
