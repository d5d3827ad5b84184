#!/usr/bin/env python3
"""Recomputes the ladder's ratings from its sets and compares them with those of the site.

Usage: ladder.py ORIGIN      (needs numpy)

Reads GET /ladder/sets.csv and GET /ladder, and follows docs/methodology.md, Ladder, with other algebra than the platform.
Ends with status 1 if a figure differs by more than a ten-thousandth of a chip, and names the first. One file, which is read alone.
"""

import csv
import io
import json
import math
import sys
import urllib.request
from collections import defaultdict
from itertools import groupby

import numpy

BIG_BLIND = 10
PRIOR, CHANGE, NOISE = ((size * BIG_BLIND) ** 2 for size in (1000, 100, 100))
LEAST = 0.05
POOLED_SEATS, OWN_SEATS, ASSUMED = 12, 6, 6
# The quantiles of the platform have seven digits.
TOLERANCE = 1e-4
NODES, WEIGHTS = numpy.polynomial.legendre.leggauss(100)


class Ladder:
    """Estimates and covariances of all versions, `(username, version)`; a seat's learned sums by version."""

    def __init__(self):
        self.index = {}
        self.retired = set()
        self.mean = numpy.zeros(0)
        self.cov = numpy.zeros((0, 0))
        self.noise, self.surprise, self.weight = (defaultdict(float) for _ in range(3))
        self.sets, self.hands = defaultdict(int), defaultdict(int)

    def start(self, key, before):
        self.retired.discard(key)
        if key in self.index:
            return
        size = len(self.mean)
        row, mean, variance = numpy.zeros(size), 0.0, PRIOR
        if before in self.index:
            at = self.index[before]
            mean, variance = self.mean[at], self.cov[at, at] + CHANGE
            row = row if before in self.retired else self.cov[at]
        self.index[key] = size
        self.mean = numpy.append(self.mean, mean)
        self.cov = numpy.block([[self.cov, row[:, None]], [row[None, :], numpy.array([[variance]])]])

    def variance_of(self, key):
        pooled = (POOLED_SEATS * NOISE + sum(self.noise.values())) / (POOLED_SEATS + sum(self.weight.values()))
        pooled = max(LEAST * NOISE, pooled)
        return max(LEAST * pooled, (OWN_SEATS * pooled + self.noise[key]) / (OWN_SEATS + self.weight[key]))

    def add(self, hands, seats):
        """`seats`: of (version, the version before or None, chips won without luck)."""
        for key, before, _ in seats:
            self.start(key, before)
        keys = [key for key, _, _ in seats]
        rows = [self.index[key] for key in keys]
        size = len(keys)
        noise = numpy.array([self.variance_of(key) * 100 / hands for key in keys])
        won = numpy.array([value for _, _, value in seats]) * (100 / hands) * (size - 1) / size
        # What all seats have in common says nothing: each against the last.
        against = numpy.hstack([numpy.eye(size - 1), -numpy.ones((size - 1, 1))])
        surprise = against @ (won - self.mean[rows])
        inside = self.cov[numpy.ix_(rows, rows)]
        precision = numpy.linalg.inv(against @ (inside + numpy.diag(noise)) @ against.T)
        gain = self.cov[:, rows] @ against.T @ precision
        for seat, key in enumerate(keys):
            own = against[:, seat] @ precision @ against[:, seat]
            residual = against[:, seat] @ precision @ surprise / own
            weight = (noise[seat] * own) ** 2
            self.noise[key] += weight * (residual**2 - 1 / own + noise[seat]) * hands / 100
            self.surprise[key] += weight * residual**2 * own
            self.weight[key] += weight
            self.sets[key] += 1
            self.hands[key] += hands
        self.mean = self.mean + gain @ surprise
        self.cov = self.cov - gain @ against @ self.cov[rows]

    def retire(self, key):
        """A version whose successor plays moves with nobody any more."""
        if key not in self.index or key in self.retired:
            return
        at = self.index[key]
        variance = self.cov[at, at]
        self.cov[at], self.cov[:, at] = 0, 0
        self.cov[at, at] = variance
        self.retired.add(key)

    def ratings(self, field):
        """Returns rating, low, high by version."""
        base = [self.index[key] for key in field if key not in self.retired]
        centre = self.mean[base].mean()
        result = {}
        for key in field:
            at = self.index[key]
            shared = 0 if key in self.retired else self.cov[at, base].mean()
            variance = max(0, self.cov[at, at] - 2 * shared + self.cov[numpy.ix_(base, base)].mean())
            seats = ASSUMED + self.weight[key]
            half = student_quantile(seats) * math.sqrt(variance * (ASSUMED + self.surprise[key]) / seats)
            rating = self.mean[at] - centre
            result[key] = (rating, rating - half, rating + half)
        return result


def student_quantile(degrees: float) -> float:
    """The 97.5 % quantile, by Gauss-Legendre quadrature of the density and bisection."""
    factor = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)
    low, high = 0.0, 20.0
    for _ in range(60):
        end = (low + high) / 2
        points = (NODES + 1) * end / 2
        part = WEIGHTS @ (1 + points**2 / degrees) ** (-(degrees + 1) / 2) * end / 2 * factor
        low, high = (end, high) if part < 0.475 else (low, end)
    return low


def read(url: str) -> str:
    with urllib.request.urlopen(url) as response:
        return response.read().decode()


def sets_of(origin: str):
    after = 0
    while rows := list(csv.DictReader(io.StringIO(read(f"{origin}/ladder/sets.csv?after={after}")))):
        for number, seats in groupby(rows, key=lambda row: int(row["set"])):
            yield number, list(seats)
        after = int(rows[-1]["set"])


def versions_of(seat):
    name, before = seat["username"], seat["predecessor"]
    return (name, int(seat["version"])), (name, int(before)) if before else None, float(seat["value"])


def entries_of(origin: str):
    page, following = 1, True
    while following:
        answer = json.loads(read(f"{origin}/ladder?page={page}&page_size=100"))
        yield from answer["entries"]
        page, following = page + 1, answer["has_next"]


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__.strip())
        return 2
    origin = sys.argv[1].rstrip("/")
    shown = {(entry["username"], entry["version"]): entry for entry in entries_of(origin)}
    ladder, last = Ladder(), 0
    for number, seats in sets_of(origin):
        if number != last + 1:
            print(f"set {last + 1} is missing")
            return 1
        last = number
        hands = int(seats[0]["hands"])
        played = [versions_of(seat) for seat in seats]
        # A set without a hand rates nobody.
        if hands > 0:
            ladder.add(hands, played)
        for _, before, _ in played:
            ladder.retire(before)
    if not shown:
        print("nobody is rated")
        return 0
    ratings = ladder.ratings(list(shown))
    for key, entry in shown.items():
        own = dict(zip(("rating", "low", "high"), ratings[key], strict=True))
        own |= {"sets": ladder.sets[key], "hands": ladder.hands[key]}
        for figure, value in own.items():
            if abs(value - entry[figure]) > TOLERANCE:
                print(f"{figure} of {key[0]}, version {key[1]}: the site says {entry[figure]}, the sets {value}")
                return 1
    print(f"{last} sets: rating, interval, sets and hands of {len(shown)} players are equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
