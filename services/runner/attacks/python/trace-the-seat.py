# Traces the seat's code
# tries: sys.settrace and sys.setprofile on every frame, the seat's among them
# idea: Python jails of capture-the-flag contests
# verdict: plays, protocol
# means: dealer, environment

class SimplePlayer(Attacker):
    def attack(self):
        seen = set()
        def trace(frame, event, argument):
            seen.add(frame.f_code.co_name)
            return trace
        sys.settrace(trace)
        frame = sys._getframe()
        while frame is not None:
            frame.f_trace = trace
            frame = frame.f_back
        held("tracing", "its own process only")
