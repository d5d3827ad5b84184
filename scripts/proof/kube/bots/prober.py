"""Attempts to escape from its seat and its pod, prints the result of each attempt, and then plays CALL."""
import ctypes
import os
import socket

from bot import Bot
from type.poker_action import PokerAction

TARGETS = TARGET_LIST


def attempt(name, action):
    try:
        action()
    except Exception as error:
        print(f"attempt {name}: refused ({type(error).__name__}: {error})", flush=True)
    else:
        print(f"attempt {name}: SUCCEEDED", flush=True)


def connect(address):
    host, port = address.rsplit(":", 1)
    socket.create_connection((host, int(port)), timeout=2).close()


def read(path):
    with open(path, "rb") as file:
        file.read(1)


def unix(path):
    link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    link.connect(path)


def reserve(keep_size=1):
    """Reserves 1 GiB of disk space beyond the end of a file."""
    with open("reserved", "wb") as file:
        if ctypes.CDLL(None, use_errno=True).fallocate(file.fileno(), keep_size, ctypes.c_long(0), ctypes.c_long(1 << 30)) < 0:
            raise OSError(ctypes.get_errno(), "fallocate")


def fill():
    """Writes more than fits into a seat's file system."""
    for number in range(12):
        with open(str(number), "wb") as file:
            file.write(b"x" * (4 << 20))


class SimplePlayer(Bot):
    def on_start(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players):
        pass

    def on_round_start(self, round_state, remaining_chips):
        pass

    def get_action(self, round_state, remaining_chips):
        if not getattr(self, "attempted", False):
            self.attempted = True
            for name, address in TARGETS:
                attempt(f"connect to {name}", lambda: connect(address))
            attempt("read the service account token", lambda: read("/var/run/secrets/kubernetes.io/serviceaccount/token"))
            attempt("read the dealer's key", lambda: read("/etc/husky/own/identity.key.json"))
            attempt("read another process", lambda: read("/proc/1/environ"))
            attempt("connect to the seat host", lambda: unix("/run/husky/host.sock"))
            attempt("resolve a name", lambda: socket.getaddrinfo("kubernetes.default.svc", 443))
            attempt("start a process", lambda: os.fork())
            attempt("reserve disk space", reserve)
            attempt("fill the disk", fill)
            print("all attempts made", flush=True)
        return (PokerAction.CALL, 0)

    def on_end_round(self, round_state, remaining_chips):
        pass

    def on_end_game(self, round_state, player_score, all_scores, active_players_hands):
        pass
