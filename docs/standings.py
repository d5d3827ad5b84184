#!/usr/bin/env python3
"""Recomputes standings from public data and compares them with those of the site.

Usage: standings.py ORIGIN [--batch NUMBER]      (needs numpy)

Reads the list of public matches, each match's results after every hand and their values without luck, and computes
the means, standard errors, probabilities of pairs and groups of GET /live/standings, after docs/methodology.md.
Prints a table and ends with status 1 if a value differs. Big blinds, bootstrap intervals and ratings are left out.
"""

import argparse
import json
import math
import sys
import urllib.request
from itertools import combinations

import numpy

MAX_BLOCKS = 50
MAX_CLUSTERS = 1000
MIN_CLUSTERS = 5


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


def clusters_of(groups, kind: int):
    """Returns the clusters of groups of matches (one match, or the rotations of a deal set): player -> (sum, hands)."""
    clusters = []
    for group in groups:
        carried = any(facts.get("stacks", "carry") == "carry" for _, _, facts, _, _ in group)
        own = {}
        for _, _, facts, _, series in group:
            sums, hands = block_sums(series, kind, facts["hands"])
            for block in numpy.flatnonzero(hands):
                cluster = own.setdefault(0 if carried else int(block), {})
                for player, values in sums.items():
                    total, count = cluster.get(player, (0.0, 0.0))
                    cluster[player] = (total + values[block], count + hands[block])
        clusters += own.values()
    if len(clusters) <= MAX_CLUSTERS:
        return clusters
    joined = [{} for _ in range(MAX_CLUSTERS)]
    for index, cluster in enumerate(clusters):
        target = joined[index % MAX_CLUSTERS]
        for player, (total, count) in cluster.items():
            before = target.get(player, (0.0, 0.0))
            target[player] = (before[0] + total, before[1] + count)
    return joined


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


def estimates(clusters, players):
    """Returns means and standard errors for 100 hands, and the probability for each pair that the row is better."""
    sums = numpy.array([[cluster.get(p, (0, 0))[0] for p in players] for cluster in clusters])
    hands = numpy.array([[cluster.get(p, (0, 0))[1] for p in players] for cluster in clusters])
    sat = hands > 0
    mean = 100 * sums.sum(0) / hands.sum(0)
    influence = (100 * sums - mean * hands) / hands.sum(0)
    count = sat.sum(0)
    error = numpy.sqrt(count / (count - 1) * (influence**2).sum(0))
    better = numpy.full((len(players), len(players)), 0.5)
    for i, j in combinations(range(len(players)), 2):
        shared = int((sat[:, i] | sat[:, j]).sum())
        variance = shared / (shared - 1) * ((influence[:, i] - influence[:, j]) ** 2).sum()
        if variance > 0:
            better[i, j] = student_cdf((mean[i] - mean[j]) / math.sqrt(variance), shared - 1)
            better[j, i] = 1 - better[i, j]
    return mean, error, better


def groups_of(mean, better):
    """Returns group numbers after Holm's correction."""
    pairs = sorted((2 * min(better[i, j], better[j, i]), i, j) for i, j in combinations(range(len(mean)), 2))
    different = set()
    for index, (p, i, j) in enumerate(pairs):
        if p > 0.05 / (len(pairs) - index):
            break
        different |= {(i, j), (j, i)}
    numbers, members, number = [0] * len(mean), [], 1
    for player in numpy.argsort(-mean, kind="stable"):
        if any((member, player) in different for member in members):
            number, members = number + 1, []
        members.append(player)
        numbers[player] = number
    return numbers


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("origin")
    parser.add_argument("--batch", type=int)
    options = parser.parse_args()
    path = "/live/standings" + (f"?batch={options.batch}" if options.batch else "")
    site = get(options.origin, path)
    matches = sorted(finished_matches(options.origin, options.batch), key=lambda match: match[0])
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
        groups = sets if estimator.startswith("duplicate") else [[match] for match in matches]
        clusters = clusters_of(groups, 1 if estimator.endswith("adjusted") else 0)
        if len(clusters) < MIN_CLUSTERS or not known:
            print(f"{estimator}: too few clusters ({len(clusters)}) for an estimate")
            differences += len(known)
            continue
        players = [p["username"] for p in known]
        mean, error, better = estimates(clusters, players)
        numbers = groups_of(mean, better)
        print(f"{estimator}: chips per 100 hands, standard error, group; {len(clusters)} clusters")
        for index, player in enumerate(known):
            shown = player["estimates"][estimator]
            same = math.isclose(shown["chips_per_100"], mean[index], rel_tol=1e-6, abs_tol=1e-6)
            same &= math.isclose(shown["standard_error"], error[index], rel_tol=1e-6, abs_tol=1e-6)
            same &= player["groups"][estimator] == numbers[index]
            differences += not same
            mark = "" if same else f"  DIFFERS: the site has {shown['chips_per_100']}, {shown['standard_error']}"
            print(f"  {player['username']:32} {mean[index]:12.2f} {error[index]:10.2f} {numbers[index]:3}{mark}")
        if site["pairs"]["estimator"] == estimator:
            names = site["pairs"]["usernames"]
            for i, j in combinations(range(len(players)), 2):
                shown = site["pairs"]["better"][names.index(players[i])][names.index(players[j])]
                if shown is None or abs(shown - better[i, j]) > 1e-5:
                    differences += 1
                    print(f"  DIFFERS: {players[i]} better than {players[j]}: {better[i, j]:.6f}, the site has {shown}")
    print("equal to the site" if differences == 0 else f"{differences} values differ from the site")
    return int(differences > 0)


if __name__ == "__main__":
    sys.exit(main())
