# Only says that it is ready
# tries: gives its process the name of a seat that is ready, and never gets ready
# idea: tried by strangers against this platform
# verdict: startup
# means: clock, dealer

say("begin")
held("name", kernel(157, 167, 15, ctypes.create_string_buffer(b"seat-0 ready"), 0, 0, 0))
threading.Event().wait()


class SimplePlayer(Attacker):
    pass
