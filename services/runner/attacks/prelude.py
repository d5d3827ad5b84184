"""Helpers that report attempts and their results. Prepended to each case's player.py when it is uploaded.

Lines in the bot's log: `attack: begin`, `attack: held NAME: DETAIL` (refused or bounded), `attack: ESCAPED NAME: DETAIL`,
`attack: unsure NAME: DETAIL` (failed with another error: proves nothing), `attack: note NAME: DETAIL`, `attack: over`.
"""
import ctypes
import errno
import hashlib
import os
import sys
import threading
import time

from bot import Bot
from type.poker_action import PokerAction

MARK = "husky-attack"
REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS)
HIDDEN = (*REFUSED, errno.ENOENT, errno.EROFS, errno.ENOTDIR, errno.ESRCH)
"""Accepted errors for paths and processes: refused, or not visible to this seat."""
FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EMFILE)
MAX_MIB = 300
"""Maximum of disk space or memory that a case uses where the sandbox does not stop it."""

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
AT_ARM = os.uname().machine == "aarch64"


def say(kind, name="", detail=""):
    """Prints a line of the report."""
    text = " ".join(str(detail).split())[:300]
    print(f"attack: {kind} {name}: {text}" if name else f"attack: {kind}", flush=True)


def held(name, detail=""):
    """Reports that an attack was stopped."""
    say("held", name, detail)


def escaped(name, detail=""):
    """Reports that an attack succeeded."""
    say("ESCAPED", name, detail)


def note(name, detail=""):
    """Reports a fact that is no verdict."""
    say("note", name, detail)


def code_of(error):
    """Returns the name of an error's errno, or of its class."""
    return errno.errorcode.get(error.errno, str(error.errno)) if isinstance(error, OSError) and error.errno else type(error).__name__


def refused(name, attempt, *codes):
    """Makes an attempt and reports it as held if it raises one of these errnos (default: REFUSED). Returns whether it was held."""
    try:
        result = attempt()
    except OSError as error:
        is_held = error.errno in (codes or REFUSED)
        say("held" if is_held else "unsure", name, code_of(error))
        return is_held
    escaped(name, f"succeeded, returned {result!r}"[:200])
    return False


def bounded(name, amount, allowed, unit="MiB"):
    """Reports an attack as held if it got at most the allowed amount."""
    say("held" if amount <= allowed else "ESCAPED", name, f"{amount:g} {unit}, {allowed:g} allowed")


def until(name, attempt, limit, unit, allowed):
    """Repeats an attempt until it fails, at most `limit` times. Reports it as held if at most `allowed` succeeded. Returns that number."""
    got = 0
    try:
        while got < limit:
            attempt(got)
            got += 1
    except (OSError, MemoryError, RuntimeError, ValueError) as error:
        note(name, f"stopped by {code_of(error)}")
    bounded(name, got, allowed, unit)
    return got


def kernel(x86, arm, *arguments):
    """Makes a raw system call and returns its result; raises OSError. A number of None stands for a call that the architecture lacks (ENOSYS)."""
    number = arm if AT_ARM else x86
    if number is None:
        raise OSError(errno.ENOSYS, "not on this architecture")
    values = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    result = libc.syscall(ctypes.c_long(number), *values)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def neighbours(near=24):
    """Returns process ids near the own one. Other seats of the match may have them, because seats are forked one after the other."""
    own = os.getpid()
    return [pid for pid in range(max(2, own - near), own + near) if pid not in (own, os.getppid())]


def parent():
    """Returns the process id of the seat's parent; where the parent is in another namespace, an id that does not exist."""
    return os.getppid() or 999_999


def first_reached(name, attempt, targets):
    """Makes an attempt on every target and reports it as held if all fail, whether the targets exist or not."""
    errors = set()
    for target in targets:
        try:
            attempt(target)
        except OSError as error:
            errors.add(code_of(error))
            continue
        escaped(name, f"reached {target}")
        return
    say("held" if errors <= {"EPERM", "EACCES", "ENOSYS", "ESRCH", "ENOENT", "EINVAL"} else "unsure", name, ", ".join(sorted(errors)))


def burn(threads=31):
    """Starts threads that compute without end and without the interpreter's lock."""
    threading.stack_size(1 << 17)

    def compute():
        while True:
            hashlib.pbkdf2_hmac("sha256", b"", b"", 1 << 20)

    for _ in range(threads):
        threading.Thread(target=compute, daemon=True).start()


class Attacker(Bot):
    """A bot that attacks once, and always folds, so that the honest bots' results do not depend on the verdict."""

    at_decision = 2

    def __init__(self):
        super().__init__()
        self.decisions = 0

    def attack(self):
        raise NotImplementedError

    def begin(self):
        say("begin")
        try:
            self.attack()
        except ConnectionError as error:
            held("link", f"ended by the dealer: {code_of(error)}")
        except Exception as error:
            say("unsure", "attack", f"{type(error).__name__}: {error}")
        say("over")

    def get_action(self, round_state, remaining_chips):
        self.decisions += 1
        if self.decisions == self.at_decision:
            self.begin()
        return PokerAction.FOLD, 0

    def on_start(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players):
        pass

    def on_round_start(self, round_state, remaining_chips):
        pass

    def on_end_round(self, round_state, remaining_chips):
        pass

    def on_end_game(self, round_state, player_score, all_scores, active_players_hands):
        pass


class Accomplice(Attacker):
    """One bot of a pair that shares cards: transfers one bit per hand, reported with the number of the hand."""

    def __init__(self):
        super().__init__()
        self.hand = 0
        self.reported = set()

    def attack(self):
        pass

    def on_start(self, *given):
        self.hand += 1

    def once(self, kind, name, detail=""):
        if (kind, name, detail) not in self.reported:
            self.reported.add((kind, name, detail))
            say(kind, name, detail)


class Sender(Accomplice):
    """An accomplice that sends one random bit per hand, in place of cards, with `send(bit)`."""

    def send(self, bit):
        raise NotImplementedError

    def get_action(self, round_state, remaining_chips):
        bit = os.urandom(1)[0] & 1
        try:
            self.send(bit)
        except OSError as error:
            self.once("held", "sending", code_of(error))
        say("sent", str(self.hand), bit)
        return super().get_action(round_state, remaining_chips)


class Receiver(Accomplice):
    """An accomplice that logs the bit that `receive()` returns for each hand."""

    def receive(self):
        raise NotImplementedError

    def get_action(self, round_state, remaining_chips):
        try:
            bit = int(self.receive())
        except OSError as error:
            self.once("held", "receiving", code_of(error))
            bit = 0
        say("heard", str(self.hand), bit)
        return super().get_action(round_state, remaining_chips)
