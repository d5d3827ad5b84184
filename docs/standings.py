#!/usr/bin/env python3
"""Recomputes standings from public data and compares them with those of the site, or of an export.

Usage: standings.py ORIGIN [--batch NUMBER]      (needs numpy)
       standings.py EXPORT                       (a zip archive or its folder; needs numpy and pyarrow)

Reads each match's results after every hand and their values without luck, and computes the figures of GET /live/standings,
or of the tables standings and pairs, after docs/methodology.md: rates in chips and in big blinds with intervals, standard
errors, groups, ranks, ratings with their check, pairs and heads-up results. Ends with status 1 if one differs, and names the
first. Left out: the intervals of a batch that its rule has ended, and the models. One file, which is downloaded and read alone.
"""

import argparse
import io
import json
import math
import sys
import urllib.request
import zipfile
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path
from statistics import NormalDist
from typing import NamedTuple

import numpy

MAX_BLOCKS = 50
MAX_CLUSTERS = 250
MIN_CLUSTERS = 2
FEW_CLUSTERS = 20
TAIL = 0.025
FOLDS = 5
MIN_TABLES = 20
ESTIMATORS = ("raw", "adjusted", "duplicate", "duplicate_adjusted")
FIGURES = (
    *("chips_per_100", "low", "high", "standard_error", "bb_per_100", "bb_low", "bb_high"),
    *("hands", "group", "rank_best", "rank_worst"),
)
RATING = ("rating", "rating_low", "rating_high")
# Bits of the kind of a sum.
ADJUSTED, BIG_BLINDS = 1, 2


class Match(NamedTuple):
    """A match by blocks of hands; `sums` by kind, seat and block."""

    job: str
    players: list
    deck: str
    reset: bool
    stack: int
    blinds: tuple  # of the first and of the last planned hand
    sums: numpy.ndarray
    hands: numpy.ndarray


def match_of(job: str, players, deck: str, facts, nets) -> Match:
    """`nets`: as won and without luck, by seat and hand."""
    planned, played, chips = facts["hands"], nets.shape[2], facts["startingStack"] * len(players)
    blinds = big_blinds(facts["blinds"], planned, chips)
    blocks = min(MAX_BLOCKS, planned)
    block_of = (numpy.arange(played) * blocks) // planned
    kinds = numpy.concatenate([nets, nets / numpy.array(blinds[:played], float)])
    sums = numpy.zeros((4, len(players), blocks))
    numpy.add.at(sums, (slice(None), slice(None), block_of), kinds)
    reset, ends = facts.get("stacks", "carry") != "carry", (blinds[0], blinds[-1])
    hands = numpy.bincount(block_of, minlength=blocks)
    return Match(job, players, deck, reset, facts["startingStack"], ends, sums, hands)


def big_blinds(schedule, planned: int, chips: int):
    """Returns the big blind of each hand: rounded down, at least 1, at most all chips."""
    factor, value, blinds = Fraction(str(schedule["multiplier"])), Fraction(schedule["bigBlind"]), []
    for hand in range(planned):
        if hand > 0 and hand % schedule["interval"] == 0:
            value = max(1, value * factor) if factor < 1 else min(chips, value * factor)
        blinds.append(int(min(value, chips)))
    return blinds


class Site:
    """The public matches of a site, or of one of its batches."""

    name, lacks = "site", ()
    # Sections in which figures stand that are the same for all estimators.
    shared = ("rating",)

    def __init__(self, origin: str, batch: int | None):
        self.origin, self.batch = origin.rstrip("/"), batch
        self.body = self.get("/live/standings" + (f"?batch={batch}" if batch else ""))
        self.names = {}

    def get(self, path: str):
        request = urllib.request.Request(self.origin + path, headers={"Accept": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)

    def matches(self):
        page, more = 1, True
        while more:
            query = f"page={page}&page_size=500&status=Finished" + (f"&batch={self.batch}" if self.batch else "")
            response = self.get(f"/live/public-job-ids/paginated?{query}")
            for job in response["jobs"]:
                path = f"/live/job/{job['job_id']}"
                facts = json.loads(self.get(f"{path}/commitment")["public_input"])
                luck = self.get(f"{path}/luck")
                if luck["state"] != "ready":
                    sys.exit(f"The luck of match {job['job_id']} is not computed yet: try again later.")
                series = numpy.array([[p[kind] for p in luck["players"]] for kind in ("raw", "adjusted")], float)
                nets = numpy.diff(series, prepend=0)
                yield match_of(job["job_id"], job["players"], self.get(f"{path}/seed")["seed"], facts, nets)
            page, more = page + 1, response["has_next"]

    def figures(self):
        """Yields the published figures, each with its section, players and name."""
        for player in self.body["players"]:
            who, rating = (player["username"],), player["rating"] or {}
            yield ("rating", who, "matches"), player["matches"]
            yield from ((("rating", who, name), rating.get(key)) for name, key in zip(RATING, ("value", "low", "high")))
            for one in ESTIMATORS:
                ranks = {f"rank_{key}": place for key, place in (player["ranks"][one] or {}).items()}
                own = {**(player["estimates"][one] or {}), **ranks, "group": player["groups"][one]}
                yield from (((one, who, key), value) for key, value in own.items())
        pairs = self.body["pairs"]
        for (i, one), (j, other) in permutations(enumerate(pairs["usernames"]), 2):
            for key in ("better", "hands_needed"):
                yield (f"pairs, {pairs['estimator']}", (one, other), key), pairs[key][i][j]
        for duel in self.body["heads_up"]:
            for key in ("hands", "chips_per_100", "low", "high"):
                yield ("heads-up", (duel["username"], duel["opponent"]), key), duel[key]
        for key, value in (self.body["rating_check"] or {}).items():
            yield ("check of the ratings", (), key), value


class Export:
    """The tables of an export, in a zip archive or unpacked."""

    name, lacks = "export", ("heads-up", "check of the ratings")
    shared = ESTIMATORS

    def __init__(self, path: str):
        try:
            self.path, self.zip = Path(path), None if Path(path).is_dir() else zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile) as error:
            sys.exit(f"{path} is neither an export nor the address of a site: {error}")
        names = self.zip.namelist() if self.zip else [str(file.relative_to(path)) for file in self.path.glob("*/*")]
        self.files = sorted(name for name in names if name.endswith(".parquet"))
        if not any(name.startswith("standings/") for name in self.files):
            sys.exit(f"{path} has no standings: it is no export, or one of an earlier release.")
        self.names = dict(self.rows("standings", "user_id", "username"))

    def rows(self, table: str, *columns: str):
        """Yields the values of the columns of each row."""
        import pyarrow.parquet

        for name in self.files:
            if name.startswith(f"{table}/"):
                content = self.zip.read(name) if self.zip else (self.path / name).read_bytes()
                part = pyarrow.parquet.ParquetFile(io.BytesIO(content))
                missing = [column for column in columns if column not in part.schema_arrow.names]
                if missing:
                    sys.exit(f"{name} has no {', '.join(missing)}: the standings cannot be computed or compared.")
                values = part.read(columns=list(columns))
                yield from zip(*(values[column].to_pylist() for column in columns))

    def matches(self):
        seats, nets = {}, {}
        for job, seat, player in self.rows("results", "job_id", "seat", "user_id"):
            seats.setdefault(job, {})[seat] = player
        schedule = ("big_blind", "blind_multiplier", "blind_interval")
        facts = ("job_id", "no_contest", "deal_set", "hands", "num_rounds", "stacks", "starting_stack", *schedule)
        matches = [row for row in self.rows("matches", *facts) if not row[1]]
        for job, _, _, hands, *_ in matches:
            nets[job] = numpy.zeros((2, len(seats[job]), hands))
        for job, hand, seat, *won in self.rows("hand_players", "job_id", "hand", "seat", "net", "adjusted_net"):
            if job in nets:
                nets[job][:, seat - 1, hand - 1] = won
        for job, _, deal_set, _, planned, stacks, chips, *blinds in matches:
            blinds = dict(zip(("bigBlind", "multiplier", "interval"), blinds))
            rules = {"hands": planned, "stacks": stacks, "startingStack": chips, "blinds": blinds}
            yield match_of(job, [seats[job][seat] for seat in sorted(seats[job])], deal_set, rules, nets[job])

    def figures(self):
        keys, names = ("better", "hands_needed"), (*FIGURES, "matches", *RATING)
        for one, player, *values in self.rows("standings", "estimator", "user_id", *names):
            yield from (((one, (player,), name), value) for name, value in zip(names, values))
        for used, *who, better, needed in self.rows("pairs", "estimator", "user_id", "opponent_id", *keys):
            yield from (((f"pairs, {used}", tuple(who), key), value) for key, value in zip(keys, (better, needed)))


class Comparison:
    """Compares computed figures with the published ones."""

    def __init__(self, source):
        self.source, self.differing = source, []
        self.shown = {key: value for key, value in source.figures() if value is not None}

    def name_of(self, player: str) -> str:
        return self.source.names.get(player, player)

    def head(self, section: str, text: str) -> None:
        lacks = f"; not compared: an {self.source.name} has no table of it" if section in self.source.lacks else ""
        print(f"{section}: {text}{lacks}")

    def check(self, section: str, who, found) -> None:
        """Compares figures, and prints those that differ."""
        for key, value in () if section in self.source.lacks else found.items():
            shown = self.shown.pop((section, who, key), None)
            # Rounding decides the last digits of large plans.
            near = 0 if isinstance(value, int) and key != "hands_needed" else 1e-6
            if value is not shown and (None in (value, shown) or not math.isclose(value, shown, rel_tol=near, abs_tol=1e-6)):
                self.differs(section, who, key, value, shown)

    def differs(self, section: str, who, key: str, value, shown) -> None:
        players = " and ".join(map(self.name_of, who))
        self.differing.append(f"{section}{players and f', {players}'}: {key} is {value}, the {self.source.name} has {shown}")
        print(f"    DIFFERS: {self.differing[-1]}")

    def orders(self, section: str, pair, key: str):
        """Returns the orders in which figures of two players are published."""
        both = [pair, pair[::-1]]
        return [one for one in both if (section, one, key) in self.shown] or [pair]


def groups_by_deck(matches):
    """Returns the complete deal sets, and the other matches with the same decks."""
    groups = {}
    for match in matches:
        groups.setdefault(match.deck, []).append(match)
    sets, others = [], []
    for group in groups.values():
        seats = len(group[0].players)
        places = {(seat, player) for match in group for seat, player in enumerate(match.players)}
        whole = len(group) == seats > 1 and len(places) == seats**2 and len({player for _, player in places}) == seats
        (sets if whole else others).append(group)
    return sets, others


def joined(clusters):
    """Returns sums and hands by cluster and player. Joins clusters above the limit: cluster i goes to cluster i modulo it."""
    if len(clusters) > MAX_CLUSTERS:
        clusters = [sum(clusters[index::MAX_CLUSTERS]) for index in range(MAX_CLUSTERS)]
    return numpy.moveaxis(numpy.array(clusters), -1, 0)


def observe(groups, kind: int):
    """Returns the players with enough clusters (all matches with the same decks), and of them clusters, blocks and limits."""
    everybody = sorted({player for group in groups for match in group for player in match.players})
    at = {player: index for index, player in enumerate(everybody)}
    clusters, blocks, luck = [], [], 0.0
    limits = {player: [math.inf, -math.inf, False, 0] for player in everybody}
    for group in groups:
        sums, chance = numpy.zeros((MAX_BLOCKS, len(at), 2)), numpy.zeros(len(at))
        bounds = {player: [0.0, 0.0] for match in group for player in match.players}
        for match in group:
            low, high = match.blinds if kind & BIG_BLINDS else (1, 1)
            stack, falls, seats = match.stack / min(low, high), high < low, len(match.players)
            for seat, player in enumerate(match.players):
                sums[: len(match.hands), at[player]] += numpy.stack([match.sums[kind, seat], match.hands], 1)
                chance[at[player]] += (match.sums[kind, seat] - match.sums[kind & ~ADJUSTED, seat]).sum()
            for player in set(match.players):
                own = match.players.count(player)
                bounds[player][0] -= stack * (seats if falls else own)
                bounds[player][1] += stack * (seats if falls else seats - own)
        clusters.append(sums.sum(0))
        reset = any(match.reset for match in group)
        blocks += list(sums[sums[..., 1].any(1)]) if reset else []
        luck = luck if reset else max(luck, abs(chance).max())
        for player, (least, most) in bounds.items():
            low, high, open_, count = limits[player]
            low, high = (low, high) if reset else (min(low, least), max(high, most))
            limits[player] = [low, high, open_ or reset, count + 1]
    known = [player for player in everybody if limits[player][3] >= MIN_CLUSTERS]
    own = [at[player] for player in known]
    clusters, blocks = (joined(all_)[:, :, own] if all_ else ((), ()) for all_ in (clusters, blocks))
    widened = [(low - luck, high + luck, *rest) for low, high, *rest in (limits[player] for player in known)]
    return known, clusters, blocks, widened


def probability_positive(values) -> float:
    """Returns the probability that the sum of the values, each times a standard exponential variable, is positive."""
    gains, losses = [v for v in values if v > 0], [-v for v in values if v < 0]
    if not gains or not losses:
        return float(bool(gains))
    row = [0.0] * len(losses) + [1.0]
    for gain in gains:
        for at in range(len(losses) - 1, -1, -1):
            row[at] = (gain * row[at + 1] + losses[at] * row[at]) / (gain + losses[at])
    return row[0]


def reach(clusters: int) -> float:
    return min(1.0, 14 / clusters)


def bound(sums, hands, limit: float, open_: bool, clusters: int) -> float:
    """Returns the upper end of a mean's interval."""
    rates = sums / hands
    extreme = rates.max() + reach(clusters) * (rates.max() - rates.min())
    known = math.isfinite(limit)
    inside = sums.sum() / hands.sum()
    outside = max(([limit * clusters / hands.sum()] if known else []) + ([extreme] if open_ else []))

    def excluded(theta: float) -> bool:
        further = [limit - theta * hands.min(), limit - theta * hands.max()] if known else []
        further += [(extreme - theta) * hands.sum() / len(hands)] if open_ else []
        return probability_positive([*(sums - theta * hands), max(further)]) < TAIL

    if not excluded(outside):
        return outside
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if excluded(middle) else (middle, outside)
    return outside


def error_of(values) -> float:
    """Returns the standard error of a sum of independent values whose own means are subtracted."""
    return math.sqrt(len(values) / (len(values) - 1) * (values**2).sum())


def student_ends(sums, hands, mean: float, all_hands: float):
    error, degrees = error_of(sums - mean * hands) / all_hands, len(sums) - 1
    low, high = 0.0, 1000.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if student_cdf(middle, degrees) < 1 - TAIL else (low, middle)
    return [mean - high * error, mean + high * error]


def interval(player: int, clusters, blocks, limits):
    """Returns the ends of a player's interval for 100 hands."""
    sums, hands = (values[clusters[1][:, player] > 0, player] for values in clusters)
    low, high, open_, count = limits[player]
    mean = sums.sum() / hands.sum()
    ends = [mean, bound(sums, hands, high, open_, count), -bound(-sums, hands, -low, open_, count)]
    if open_:
        ends += student_ends(sums, hands, mean, hands.sum())
        own = blocks[1][:, player] > 0
        if count < FEW_CLUSTERS and own.sum() > 1:
            ends += student_ends(blocks[0][own, player], blocks[1][own, player], mean, hands.sum())
    return 100 * min(ends), 100 * max(ends)


def student_cdf(value: float, degrees: int) -> float:
    """Returns the distribution function of Student's t, by Simpson's rule."""
    if value == 0 or math.isinf(value):
        return 0.5 if value == 0 else float(value > 0)
    grid = numpy.linspace(0, math.atan(abs(value) / math.sqrt(degrees)), 20001)
    density = numpy.cos(grid) ** (degrees - 1)
    weights = numpy.ones(20001)
    weights[1:-1:2], weights[2:-1:2] = 4, 2
    area = (density * weights).sum() * (grid[1] - grid[0]) / 3
    constant = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(math.pi)
    return 0.5 + math.copysign(area * constant, value)


def parts(values, pair, means, count):
    """Returns each cluster's part of the difference of two means over `count` hands, less what `means` for each hand would give."""
    (i, j), sat = pair, (values[1][:, pair] > 0).any(1)
    (won, lost), (mine, yours) = ((of[sat, i] / count[i], of[sat, j] / count[j]) for of in values)
    value = (won - means[0] * mine) - (lost - means[1] * yours)
    return numpy.where(abs(value) <= 1e-9 * (abs(won) + abs(lost)), 0.0, value)


def better_than(pair, clusters, blocks, limits) -> float:
    """Returns the probability that the first of two players is better."""
    i, j = pair
    total, count = clusters[0].sum(0), clusters[1].sum(0)
    own = (total[i] / count[i], total[j] / count[j])
    common = (total[i] + total[j]) / (count[i] + count[j])
    values = parts(clusters, pair, (common, common), count)
    if not values.any():
        return 0.5
    (low_i, high_i, open_i, count_i), (low_j, high_j, open_j, count_j) = limits[i], limits[j]
    known, free = math.isfinite(high_i) and math.isfinite(high_j), open_i or open_j
    beyond = reach(max(count_i, count_j)) * (values.max() - values.min())
    least, most = (values.min() - beyond, values.max() + beyond) if free or not known else (0.0, 0.0)
    low = min(low_i / count[i] - high_j / count[j] if known else 0.0, least)
    high = max(high_i / count[i] - low_j / count[j] if known else 0.0, most)
    sign = -1 if own[0] < own[1] else 1
    against = probability_positive([*(-sign * values), -low if sign > 0 else high])
    if free:
        kinds = [clusters] + ([blocks] if min(count_i, count_j) < FEW_CLUSTERS and len(blocks[0]) else [])
        for kind in kinds:
            own_parts = parts(kind, pair, own, count)
            if len(own_parts) > 1 and own_parts.any():
                against = max(against, student_cdf(-abs(own[0] - own[1]) / error_of(own_parts), len(own_parts) - 1))
    ahead = max(0.5, 1 - against)
    return ahead if sign > 0 else 1 - ahead


def estimates(players, clusters, blocks, limits):
    """Returns rates for 100 hands with the ends of their intervals and standard errors, by player."""
    found = {}
    for index, player in enumerate(players):
        sums, hands = (values[clusters[1][:, index] > 0, index] for values in clusters)
        mean = sums.sum() / hands.sum()
        error = error_of(sums - mean * hands) / hands.sum()
        found[player] = (100 * mean, *interval(index, clusters, blocks, limits), 100 * error)
    return found


def better_by_pair(clusters, blocks, limits):
    """Returns the probability for each pair that the row is better."""
    better = numpy.full((len(limits), len(limits)), 0.5)
    for i, j in combinations(range(len(limits)), 2):
        better[j, i] = better_than((j, i), clusters, blocks, limits)
        better[i, j] = 1 - better[j, i]
    return better


def apart(better):
    """Returns the pairs that Holm's correction tells apart."""
    size = len(better)
    pairs = sorted((2 * min(better[i, j], better[j, i]), i, j) for i, j in combinations(range(size), 2))
    different = set()
    for index, (p, i, j) in enumerate(pairs):
        if p > 0.05 / (len(pairs) - index):
            break
        different |= {(i, j), (j, i)}
    return different


def groups_of(mean, different):
    """Returns group numbers."""
    numbers, members, number = [0] * len(mean), [], 1
    for player in numpy.argsort(-mean, kind="stable"):
        if any((member, player) in different for member in members):
            number, members = number + 1, []
        members.append(player)
        numbers[player] = number
    return numbers


def ranks_of(mean, different):
    """Returns the best and the worst place of each player."""
    others = range(len(mean))
    ahead = [sum((i, j) in different and mean[j] > mean[i] for j in others) for i in others]
    behind = [sum((i, j) in different and mean[j] < mean[i] for j in others) for i in others]
    return [(1 + a, len(mean) - b) for a, b in zip(ahead, behind)]


def hands_needed(pair, clusters, undecided: int):
    """Returns how many hands more a test of normal sums needs to tell two players apart with a probability of 80 %."""
    count = clusters[1].sum(0)
    own = clusters[0].sum(0) / count
    error, difference = error_of(parts(clusters, pair, own[list(pair)], count)), abs(own[pair[0]] - own[pair[1]])
    level, power = NormalDist().inv_cdf(1 - 0.025 / undecided), NormalDist().inv_cdf(0.8)
    if difference >= level * error or difference == 0:
        return None
    more = math.ceil(count[list(pair)].mean() * (((level + power) * error / difference) ** 2 - 1))
    return more if more <= 1e9 else None


def stages_of(won):
    """Returns for each place but the last who finished there, and who did not finish before."""
    places = sorted(set(won.values()), reverse=True)[:-1]
    return [([p for p in won if won[p] == place], [p for p in won if won[p] <= place]) for place in places]


def strengths(tables, size: int):
    """Returns the logarithms of Plackett-Luce strengths by Newton's method, their information, and the score of each table."""
    logs = numpy.zeros(size)
    for _ in range(200):
        # Half a win and half a loss against a player of strength 1.
        share = 1 / (1 + numpy.exp(-logs))
        information, scores = numpy.diag(share * (1 - share)), numpy.zeros((len(tables), size))
        for score, stages in zip(scores, tables):
            for placed, remaining in stages:
                chance = numpy.exp(logs[remaining]) / numpy.exp(logs[remaining]).sum()
                score[placed] += 1
                score[remaining] -= len(placed) * chance
                spread = numpy.diag(chance) - numpy.outer(chance, chance)
                information[numpy.ix_(remaining, remaining)] += len(placed) * spread
        step = numpy.linalg.solve(information, scores.sum(0) + 0.5 - share)
        logs = logs + step / max(1, abs(step).max())
        if abs(step).max() < 1e-12:
            break
    return logs, information, scores


def ratings(finishes):
    """Returns ratings with their intervals by player."""
    seated = sorted({player for won in finishes if len(won) > 1 for player in won})
    at = {player: index for index, player in enumerate(seated)}
    tables = [stages_of({at[player]: value for player, value in won.items()}) for won in finishes if len(won) > 1]
    tables = [stages for stages in tables if stages]
    if not tables:
        return {}
    logs, information, scores = strengths(tables, len(seated))
    covariance, centre = numpy.linalg.inv(information), numpy.eye(len(seated)) - 1 / len(seated)
    robust = len(tables) / max(1, len(tables) - 1) * covariance @ scores.T @ scores @ covariance
    variances = numpy.maximum(*(numpy.diag(centre @ kind @ centre) for kind in (covariance, robust)))
    points, halves = 400 / math.log(10) * (centre @ logs), 400 / math.log(10) * NormalDist().inv_cdf(0.975) * variances**0.5
    return {p: (1500 + v, 1500 + v - half, 1500 + v + half) for p, v, half in zip(seated, points, halves)}


def check_of(finishes):
    """Returns how well the ratings of four fifths of the tables predict the others."""
    tables = [won for won in finishes if stages_of(won)]
    if len(tables) < MIN_TABLES:
        return {}
    at = {player: index for index, player in enumerate(sorted({player for won in tables for player in won}))}
    chances, right, squares = [], [], 0.0
    for fold in range(FOLDS):
        others = [stages_of({at[p]: v for p, v in won.items()}) for i, won in enumerate(tables) if i % FOLDS != fold]
        logs = strengths(others, len(at))[0]
        for won in tables[fold::FOLDS]:
            ordered = sorted(won, key=lambda player: -logs[at[player]])
            duels = [(a, b) for a, b in combinations(ordered, 2) if won[a] != won[b]]
            expected = [1 / (1 + math.exp(logs[at[b]] - logs[at[a]])) for a, b in duels]
            correct = [float(won[a] > won[b]) for a, b in duels]
            squares += (sum(correct) - sum(expected)) ** 2
            chances, right = chances + expected, right + correct
    pairs = len(right)
    shares = {"expected": sum(chances) / pairs, "correct": sum(right) / pairs}
    return {"pairs": pairs, **shares, "standard_error": math.sqrt(squares) / pairs}


def span(low: float, high: float) -> str:
    return f"({low:.2f} to {high:.2f})"


def compare_estimates(comparison, estimator: str, groups, with_pairs: bool) -> None:
    kind = ADJUSTED if estimator.endswith("adjusted") else 0
    players, *observed = observe(groups, kind)
    columns = "chips per 100 hands, interval, standard error, big blinds, interval, group, ranks; "
    few = "" if players else ", too few for an estimate"
    comparison.head(estimator, f"{columns if players else ''}{len(groups)} matches or deal sets{few}")
    chips, bb = estimates(players, *observed), estimates(*observe(groups, kind | BIG_BLINDS))
    better = better_by_pair(*observed)
    different = apart(better)
    mean = numpy.array([chips[player][0] for player in players])
    for index, (player, number, places) in enumerate(zip(players, groups_of(mean, different), ranks_of(mean, different))):
        rates, hands = (*chips[player], *bb[player][:3]), int(observed[0][1][:, index].sum())
        in_chips = f"{rates[0]:10.2f} {span(*rates[1:3])} {rates[3]:10.2f}"
        others = f"{rates[4]:9.2f} {span(*rates[5:])} {number:3} {places[0]} to {places[1]}"
        print(f"  {comparison.name_of(player):32} {in_chips} {others}")
        comparison.check(estimator, (player,), dict(zip(FIGURES, (*rates, hands, number, *places))))
    section, undecided = f"pairs, {estimator}", math.comb(len(players), 2) - len(different) // 2
    for pair in combinations(range(len(players)), 2) if with_pairs else ():
        needed = 0 if pair in different else hands_needed(pair, observed[0], undecided)
        names = [players[index] for index in pair]
        for one, other in comparison.orders(section, tuple(names), "better"):
            value = better[pair if one == names[0] else pair[::-1]]
            comparison.check(section, (one, other), {"better": value, "hands_needed": needed})


def compare_duels(comparison, matches) -> None:
    """Compares the results of tables of two."""
    duels = {}
    for match in matches:
        if len(match.players) == 2 == len(set(match.players)):
            duels.setdefault(tuple(sorted(match.players)), []).append(match)
    comparison.head("heads-up", "chips per 100 hands, interval; tables of two" if duels else "no tables of two")
    for pair, own in duels.items():
        hands = sum(int(match.hands.sum()) for match in own)
        known = estimates(*observe(sum(groups_by_deck(own), []), 0))
        for one, other in comparison.orders("heads-up", pair, "hands"):
            won = sum(match.sums[0, match.players.index(one)].sum() for match in own)
            mean, low, high, _ = known.get(one, (100 * won / hands, None, None, None))
            names = f"{comparison.name_of(one)} against {comparison.name_of(other)}"
            print(f"  {names:32} {mean:10.2f} {span(low, high) if known else 'one match has no interval'}")
            figures = {"hands": hands, "chips_per_100": mean, "low": low, "high": high}
            comparison.check("heads-up", (one, other), figures)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", help="address of a site, or an export")
    parser.add_argument("--batch", type=int)
    options = parser.parse_args()
    is_site = options.source.startswith(("http://", "https://"))
    source = Site(options.source, options.batch) if is_site else Export(options.source)
    comparison = Comparison(source)
    matches = sorted(source.matches(), key=lambda match: match.job)
    sets, others = groups_by_deck(matches)
    finishes = []
    for group in [*sets, *([match] for other in others for match in other)]:
        finishes.append(won := {})
        for match in group:
            for player, value in zip(match.players, match.sums[0].sum(1)):
                won[player] = won.get(player, 0.0) + value
    rated = ratings(finishes)
    comparison.head("rating", "points, interval, matches")
    for player in sorted({player for match in matches for player in match.players}):
        points, played = rated.get(player), sum(player in match.players for match in matches)
        print(f"  {comparison.name_of(player):32} {f'{points[0]:10.2f} {span(*points[1:])}' if points else 'none'} {played:5}")
        for section in source.shared:
            comparison.check(section, (player,), {"matches": played, **dict(zip(RATING, points or ()))})
    for estimator in ESTIMATORS:
        groups = sets if estimator.startswith("duplicate") else sets + others
        compare_estimates(comparison, estimator, groups, estimator == ("adjusted" if others else "duplicate_adjusted"))
    compare_duels(comparison, matches)
    checked = check_of(finishes)
    comparison.head("check of the ratings", ", ".join(f"{key} {value:.6g}" for key, value in checked.items()) or "too few tables")
    comparison.check("check of the ratings", (), checked)
    for (section, who, key), value in comparison.shown.items():
        comparison.differs(section, who, key, None, value)
    if not comparison.differing:
        print(f"equal to the {source.name}")
        return 0
    print(f"{len(comparison.differing)} values differ from the {source.name}, the first: {comparison.differing[0]}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
