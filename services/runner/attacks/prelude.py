"""Prepended to each case's player.py when it is uploaded: reports attempts and their results.

Lines in the bot's log: `attack: begin`, `attack: held NAME: DETAIL` (refused or bounded), `attack: ESCAPED NAME: DETAIL`,
`attack: unsure NAME: DETAIL` (failed with another error: proves nothing), `attack: note NAME: DETAIL`, `attack: over`.
"""
import ctypes
import errno
import os
import sys
import threading
import time

from bot import Bot
from type.poker_action import PokerAction

MARK = "husky-attack"
REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS)
HIDDEN = (*REFUSED, errno.ENOENT, errno.EROFS, errno.ENOTDIR, errno.ESRCH)
"""Accepted errors for paths and processes: refused, or not existing for this seat."""
FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EMFILE)
MOST_MIB = 300
"""Maximum disk space and memory that a case uses where no means stops it."""

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
AT_ARM = os.uname().machine == "aarch64"


def say(kind, name="", detail=""):
    text = " ".join(str(detail).split())[:300]
    print(f"attack: {kind} {name}: {text}" if name else f"attack: {kind}", flush=True)


def held(name, detail=""):
    say("held", name, detail)


def escaped(name, detail=""):
    say("ESCAPED", name, detail)


def note(name, detail=""):
    say("note", name, detail)


def code_of(error):
    return errno.errorcode.get(error.errno, str(error.errno)) if isinstance(error, OSError) and error.errno else type(error).__name__


def refused(name, attempt, *codes):
    """Makes an attempt, which is held if it raises one of these errnos (default: REFUSED). Returns whether it was held."""
    try:
        result = attempt()
    except OSError as error:
        is_held = error.errno in (codes or REFUSED)
        say("held" if is_held else "unsure", name, code_of(error))
        return is_held
    escaped(name, f"done, answer {result!r}"[:200])
    return False


def bounded(name, amount, allowed, unit="MiB"):
    """Reports an attack as held if it got at most `allowed`."""
    say("held" if amount <= allowed else "ESCAPED", name, f"{amount:g} {unit}, {allowed:g} allowed")


def until(name, attempt, limit, unit, allowed):
    """Repeats the attempt until it fails or was made `limit` times; held when at most `allowed` succeeded."""
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
    """Makes a raw system call; raises OSError. A number of None stands for a call that the architecture lacks (ENOSYS)."""
    number = arm if AT_ARM else x86
    if number is None:
        raise OSError(errno.ENOSYS, "not on this architecture")
    values = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    answer = libc.syscall(ctypes.c_long(number), *values)
    if answer < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return answer


def neighbours(near=24):
    """Returns process ids near the own one, which other seats of this match may have, because seats are forked one after the other."""
    own = os.getpid()
    return [pid for pid in range(max(2, own - near), own + near) if pid not in (own, os.getppid())]


def parent():
    """Returns the process id of the seat's parent; where the parent is in another namespace, an id that does not exist."""
    return os.getppid() or 999_999


def first_reached(name, attempt, targets):
    """Makes an attempt on every target, which is held if all fail, whether the target exists or not."""
    answers = set()
    for target in targets:
        try:
            attempt(target)
        except OSError as error:
            answers.add(code_of(error))
            continue
        escaped(name, f"reached {target}")
        return
    say("held" if answers <= {"EPERM", "EACCES", "ENOSYS", "ESRCH", "ENOENT", "EINVAL"} else "unsure", name, ", ".join(sorted(answers)))


class Attacker(Bot):
    """Always folds, so that the honest bots' results do not depend on its verdict; attacks once."""

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
    """One half of a pair that shares cards: one act and therefore one bit per hand, keyed by the number of the hand."""

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
    """Sends one random bit per hand, instead of cards, by `send(bit)`."""

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
    """Logs the bit that `receive()` returns for each hand."""

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
