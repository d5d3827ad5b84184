#!/usr/bin/env python3
"""Recomputes standings from public data and compares them with those of the site, or of an export.

Usage: standings.py ORIGIN [--batch NUMBER]      (needs numpy)
       standings.py EXPORT                       (a zip archive or its folder; needs numpy and pyarrow)

Reads each match's results after every hand and their values without luck, and computes the means, intervals, standard
errors, probabilities of pairs, groups and ranks of GET /live/standings, or of the tables standings and pairs, after
docs/methodology.md. Prints a table and ends with status 1 if a value differs. Big blinds and ratings are left out.
"""

import argparse
import io
import json
import math
import sys
import urllib.request
import zipfile
from itertools import combinations
from pathlib import Path

import numpy

MAX_BLOCKS = 50
MAX_CLUSTERS = 250
MIN_CLUSTERS = 2
FEW_CLUSTERS = 20
TAIL = 0.025


def get(origin: str, path: str):
    request = urllib.request.Request(origin.rstrip("/") + path, headers={"Accept": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


def finished_matches(origin: str, batch: int | None):
    """Yields the finished public matches with their facts and series."""
    page = 1
    while True:
        query = f"page={page}&page_size=500&status=Finished" + (f"&batch={batch}" if batch else "")
        response = get(origin, f"/live/public-job-ids/paginated?{query}")
        for job in response["jobs"]:
            facts = json.loads(get(origin, f"/live/job/{job['job_id']}/commitment")["public_input"])
            seed = get(origin, f"/live/job/{job['job_id']}/seed")["seed"]
            luck = get(origin, f"/live/job/{job['job_id']}/luck")
            if luck["state"] != "ready":
                sys.exit(f"The luck of match {job['job_id']} is not computed yet: try again later.")
            series = {p["username"]: (p["raw"], p["adjusted"]) for p in luck["players"]}
            yield job["job_id"], job["players"], facts, seed, series
        if not response["has_next"]:
            return
        page += 1


class Export:
    """The tables of an export, in a zip archive or unpacked."""

    def __init__(self, path: str):
        try:
            self.path, self.zip = Path(path), None if Path(path).is_dir() else zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile) as error:
            sys.exit(f"{path} is neither an export nor the address of a site: {error}")
        names = self.zip.namelist() if self.zip else [str(file.relative_to(path)) for file in self.path.glob("*/*")]
        self.names = sorted(name for name in names if name.endswith(".parquet"))
        if not any(name.startswith("standings/") for name in self.names):
            sys.exit(f"{path} has no standings: it is no export, or one of an earlier release.")

    def rows(self, table: str, *columns: str):
        """Yields the values of the columns of each row."""
        import pyarrow.parquet

        for name in self.names:
            if name.startswith(f"{table}/"):
                content = self.zip.read(name) if self.zip else (self.path / name).read_bytes()
                part = pyarrow.parquet.read_table(io.BytesIO(content), columns=list(columns))
                yield from zip(*(part[column].to_pylist() for column in columns))

    def matches(self):
        """Yields the matches as finished_matches does, with the ids of players and the deal set."""
        seats, series = {}, {}
        for job, seat, player in self.rows("results", "job_id", "seat", "user_id"):
            seats.setdefault(job, {})[seat] = player
        facts = ("job_id", "hands", "num_rounds", "stacks", "starting_stack", "deal_set", "no_contest")
        matches = [row for row in self.rows("matches", *facts) if not row[-1]]
        for job, hands, *_ in matches:
            series[job] = {player: numpy.zeros((2, hands)) for player in seats[job].values()}
        for job, hand, seat, net, adjusted in self.rows("hand_players", "job_id", "hand", "seat", "net", "adjusted_net"):
            if job in series:
                series[job][seats[job][seat]][:, hand - 1] += net, adjusted
        for job, _, planned, stacks, chips, deal_set, _ in matches:
            players = [seats[job][seat] for seat in sorted(seats[job])]
            cumulative = {player: values.cumsum(1) for player, values in series[job].items()}
            yield job, players, {"hands": planned, "stacks": stacks, "startingStack": chips}, deal_set, cumulative

    def standings(self):
        """Returns the tables standings and pairs in the form of GET /live/standings."""
        players, pairs = {}, {}
        keys = ("chips_per_100", "low", "high", "standard_error")
        for user, name, estimator, group, best, worst, *values in self.rows(
            "standings", "user_id", "username", "estimator", "group", "rank_best", "rank_worst", *keys
        ):
            player = players.setdefault(user, {"username": user, "name": name, "estimates": {}, "groups": {}, "ranks": {}})
            player["estimates"][estimator] = None if values[0] is None else dict(zip(keys, values))
            player["groups"][estimator], player["ranks"][estimator] = group, {"best": best, "worst": worst}
        used = ""
        for used, one, other, better in self.rows("pairs", "estimator", "user_id", "opponent_id", "better"):
            pairs[one, other], pairs[other, one] = better, None if better is None else 1 - better
        rows = [[pairs.get((one, other)) for other in players] for one in players]
        return {"players": [*players.values()], "pairs": {"estimator": used, "usernames": [*players], "better": rows}}


def block_sums(series, kind: int, planned: int):
    """Returns the sums of each block of hands by player, and the number of hands of each block."""
    blocks = min(MAX_BLOCKS, planned)
    played = len(next(iter(series.values()))[0])
    block_of = (numpy.arange(played) * blocks) // planned
    sums = {
        player: numpy.bincount(block_of, numpy.diff(values[kind], prepend=0), blocks)
        for player, values in series.items()
    }
    return sums, numpy.bincount(block_of, minlength=blocks)


def is_reset(group) -> bool:
    return any(facts.get("stacks", "carry") != "carry" for _, _, facts, _, _ in group)


def joined(clusters):
    """Joins clusters above the limit: cluster i goes to cluster i modulo it."""
    if len(clusters) <= MAX_CLUSTERS:
        return clusters
    targets = [{} for _ in range(MAX_CLUSTERS)]
    for index, cluster in enumerate(clusters):
        target = targets[index % MAX_CLUSTERS]
        for player, (total, count) in cluster.items():
            before = target.get(player, (0.0, 0.0))
            target[player] = (before[0] + total, before[1] + count)
    return targets


def observe(groups, kind: int, players):
    """Returns clusters (all matches with the same decks) and blocks as arrays of sums and hands by player, and limits."""
    clusters, blocks = [], []
    luck = 0.0
    limits = {player: [math.inf, -math.inf, False, 0] for player in players}
    for group in groups:
        whole, parts, chance = {}, {}, {}
        for _, names, facts, _, series in group:
            sums, hands = block_sums(series, kind, facts["hands"])
            raw, _ = block_sums(series, 0, facts["hands"])
            for player, values in sums.items():
                chance[player] = chance.get(player, 0.0) + values.sum() - raw[player].sum()
                for block in numpy.flatnonzero(hands):
                    for target in (whole, parts.setdefault(int(block), {})):
                        total, count = target.get(player, (0.0, 0.0))
                        target[player] = (total + values[block], count + hands[block])
        clusters.append(whole)
        reset = is_reset(group)
        if reset:
            blocks += parts.values()
        else:
            luck = max(luck, *(abs(value) for value in chance.values()))
        for player in whole:
            low, high, open_, count = limits[player]
            if not reset:
                seats = [(facts["startingStack"], names.count(player), len(names)) for _, names, facts, _, _ in group]
                low = min(low, -sum(stack * own for stack, own, _ in seats))
                high = max(high, sum(stack * (size - own) for stack, own, size in seats if own))
            limits[player] = [low, high, open_ or reset, count + 1]
    widened = {p: (low - luck, high + luck, open_, count) for p, (low, high, open_, count) in limits.items()}
    return arrays(joined(clusters), players), arrays(joined(blocks), players), [widened[p] for p in players]


def arrays(clusters, players):
    table = [[cluster.get(player, (0.0, 0.0)) for player in players] for cluster in clusters]
    values = numpy.array(table, float).reshape(len(clusters), len(players), 2)
    return values[..., 0], values[..., 1]


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


def student_ends(sums, hands, mean: float):
    count = len(sums)
    error = math.sqrt(count / (count - 1) * ((sums - mean * hands) ** 2).sum()) / hands.sum()
    low, high = 0.0, 1000.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if student_cdf(middle, count - 1) < 1 - TAIL else (low, middle)
    return [mean - high * error, mean + high * error]


def interval(player: int, clusters, blocks, limits):
    """Returns the ends of a player's interval for 100 hands."""
    sums, hands = (values[clusters[1][:, player] > 0, player] for values in clusters)
    low, high, open_, count = limits[player]
    mean = sums.sum() / hands.sum()
    ends = [mean, bound(sums, hands, high, open_, count), -bound(-sums, hands, -low, open_, count)]
    if open_:
        ends += student_ends(sums, hands, mean)
        own = blocks[1][:, player] > 0
        if count < FEW_CLUSTERS and own.sum() > 1:
            ends += student_ends(blocks[0][own, player], blocks[1][own, player], mean)
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


def parts(values, pair, means):
    """Returns each cluster's part of the difference of two means, less what `means` for each hand would give."""
    (sums, hands), (i, j) = values, pair
    sat = (hands[:, i] > 0) | (hands[:, j] > 0)
    won, lost = sums[sat, i] / hands[:, i].sum(), sums[sat, j] / hands[:, j].sum()
    mine, yours = hands[sat, i] / hands[:, i].sum(), hands[sat, j] / hands[:, j].sum()
    value = (won - means[0] * mine) - (lost - means[1] * yours)
    return numpy.where(abs(value) <= 1e-9 * (abs(won) + abs(lost)), 0.0, value)


def better_than(pair, clusters, blocks, limits) -> float:
    """Returns the probability that the first of two players is better."""
    i, j = pair
    total, count = clusters[0].sum(0), clusters[1].sum(0)
    own = (total[i] / count[i], total[j] / count[j])
    common = (total[i] + total[j]) / (count[i] + count[j])
    values = parts(clusters, pair, (common, common))
    if not values.any():
        return 0.5
    (low_i, high_i, open_i, count_i), (low_j, high_j, open_j, count_j) = limits[i], limits[j]
    known, free = math.isfinite(high_i) and math.isfinite(high_j), open_i or open_j
    beyond = reach(max(count_i, count_j)) * (values.max() - values.min())
    low = min(low_i / count[i] - high_j / count[j] if known else 0.0, values.min() - beyond if free or not known else 0.0)
    high = max(high_i / count[i] - low_j / count[j] if known else 0.0, values.max() + beyond if free or not known else 0.0)
    sign = -1 if own[0] < own[1] else 1
    against = probability_positive([*(-sign * values), -low if sign > 0 else high])
    if free:
        kinds = [clusters] + ([blocks] if min(count_i, count_j) < FEW_CLUSTERS and len(blocks[0]) else [])
        for kind in kinds:
            own_parts = parts(kind, pair, own)
            error = math.sqrt(len(own_parts) / (len(own_parts) - 1) * (own_parts**2).sum())
            if error > 0:
                against = max(against, student_cdf(-abs(own[0] - own[1]) / error, len(own_parts) - 1))
    ahead = max(0.5, 1 - against)
    return ahead if sign > 0 else 1 - ahead


def estimates(clusters, blocks, limits):
    """Returns means and standard errors for 100 hands, and the probability for each pair that the row is better."""
    sums, hands = clusters
    players = sums.shape[1]
    mean = 100 * sums.sum(0) / hands.sum(0)
    influence = (100 * sums - mean * hands) / hands.sum(0)
    count = (hands > 0).sum(0)
    error = numpy.sqrt(count / (count - 1) * (influence**2).sum(0))
    better = numpy.full((players, players), 0.5)
    for i, j in combinations(range(players), 2):
        better[j, i] = better_than((j, i), clusters, blocks, limits)
        better[i, j] = 1 - better[j, i]
    return mean, error, better


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
    return [{"best": 1 + a, "worst": len(mean) - b} for a, b in zip(ahead, behind)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", help="address of a site, or an export")
    parser.add_argument("--batch", type=int)
    options = parser.parse_args()
    if options.source.startswith(("http://", "https://")):
        what, path = "site", "/live/standings" + (f"?batch={options.batch}" if options.batch else "")
        site, found = get(options.source, path), finished_matches(options.source, options.batch)
    else:
        what, export = "export", Export(options.source)
        site, found = export.standings(), export.matches()
    matches = sorted(found, key=lambda match: match[0])
    by_seed = {}
    for match in matches:
        by_seed.setdefault(match[3], []).append(match)
    sets = [
        group
        for group in by_seed.values()
        if len(group) > 1
        and len({(seat, p) for match in group for seat, p in enumerate(match[1])}) == len(group[0][1]) ** 2
    ]
    differences = 0
    for estimator in ("raw", "adjusted", "duplicate", "duplicate_adjusted"):
        known = [p for p in site["players"] if p["estimates"][estimator] is not None]
        groups = sets if estimator.startswith("duplicate") else list(by_seed.values())
        if len(groups) < MIN_CLUSTERS or not known:
            print(f"{estimator}: too few matches or deal sets ({len(groups)}) for an estimate")
            differences += len(known)
            continue
        players = [p["username"] for p in known]
        observed = observe(groups, 1 if estimator.endswith("adjusted") else 0, players)
        mean, error, better = estimates(*observed)
        different = apart(better)
        numbers, ranks = groups_of(mean, different), ranks_of(mean, different)
        print(f"{estimator}: chips per 100 hands, interval, standard error, group, ranks; {len(groups)} matches or deal sets")
        for index, player in enumerate(known):
            shown = player["estimates"][estimator]
            low, high = interval(index, *observed)
            found = {"chips_per_100": mean[index], "low": low, "high": high, "standard_error": error[index]}
            same = all(math.isclose(shown[key], value, rel_tol=1e-6, abs_tol=1e-6) for key, value in found.items())
            same &= player["groups"][estimator] == numbers[index] and player["ranks"][estimator] == ranks[index]
            differences += not same
            mark = "" if same else f"  DIFFERS: the {what} has {shown}, {player['groups'][estimator]}, {player['ranks'][estimator]}"
            places = "{best} to {worst}".format(**ranks[index])
            print(f"  {player.get('name', player['username']):32} {mean[index]:10.2f} ({low:.2f} to {high:.2f}) {error[index]:10.2f} {numbers[index]:3} {places}{mark}")
        if site["pairs"]["estimator"] == estimator:
            names = site["pairs"]["usernames"]
            for i, j in combinations(range(len(players)), 2):
                shown = site["pairs"]["better"][names.index(players[i])][names.index(players[j])]
                if shown is None or abs(shown - better[i, j]) > 1e-5:
                    differences += 1
                    print(f"  DIFFERS: {players[i]} better than {players[j]}: {better[i, j]:.6f}, the {what} has {shown}")
    print(f"equal to the {what}" if differences == 0 else f"{differences} values differ from the {what}")
    return int(differences > 0)


if __name__ == "__main__":
    sys.exit(main())
