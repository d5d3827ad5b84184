// docs/standings.py, which computes standings with other code.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@husky/estimate/random';
import { computeStandings, type MatchSums, type Standings } from '@husky/estimate/standings';
import { blindsAt } from '@husky/holdem/blinds';
import { otherValue } from '@husky/testkit/mutations';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { Row } from '../../services/live-data/src/exports/domain/tables.ts';
import { sumMatch } from '../../services/live-data/src/standings/domain/match-values.ts';
import { python, runDocsScript } from './test/docs-script.ts';
import { exportOf, writeExport } from './test/written-export.ts';

const folder = mkdtempSync(join(tmpdir(), 'husky-standings-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'export.zip');

const tooOld = python.version === '3.10';

const printed = (source: string) => runDocsScript('standings.py', source);

/** Returns the sections and names of the figures that differ. */
const differing = (text: string) =>
  [...text.matchAll(/DIFFERS: ([^:]+)[^:]*: (\w+) is/g)].map(([, of, figure]) => `${of?.split(',')[0]} ${figure}`);

test.skipIf(tooOld)(
  'computes the standings of an export of carried and of mixed stacks, and names each changed figure',
  async () => {
    const carried = exportOf(['carry-until-bust', 'carry-dead-button', 'played-1', 'played-2', 'public-randomness']);
    const mixed = exportOf(['carry-until-bust', 'reset-three', 'carry-heads-up', 'played-1', 'played-2']);
    for (const one of [carried, mixed]) {
      writeExport(file, one);
      const { status, text } = await printed(file);
      expect(text).toMatch(/\nraw: chips (.|\n)*\nadjusted: chips (.|\n)*equal to the export\n$/);
      expect(text).toMatch(/\nheads-up: .*; not compared: an export has no table of it\n/);
      expect(status).toBe(0);
    }
    const figures = Object.keys(carried.rows.standings[0] ?? {}).slice(3);
    const needed = ['better', 'hands_needed'];
    const other = ([first = {}, ...rows]: readonly Row[], names: readonly string[]) => [
      { ...first, ...Object.fromEntries(names.map((name) => [name, otherValue(first[name]) as Row[string]])) },
      ...rows,
    ];
    const standings = other(carried.rows.standings, figures);
    writeExport(file, { ...carried, rows: { ...carried.rows, standings, pairs: other(carried.rows.pairs, needed) } });
    const { status, text } = await printed(file);
    expect(differing(text).sort()).toEqual(
      [...figures.map((name) => `raw ${name}`), ...needed.map((name) => `pairs ${name}`)].sort(),
    );
    expect(text).toMatch(
      /\n17 values differ from the export, the first: raw, \w+: matches is \d+, the export has \d+\n$/,
    );
    expect(status).toBe(1);
    expect(await printed(join(import.meta.dirname, 'test/version-1.zip'))).toEqual({
      status: 1,
      text: expect.stringContaining('has no standings: it is no export, or one of an earlier release'),
    });
  },
);

interface Played {
  readonly id: string;
  readonly sums: MatchSums;
  readonly facts: object;
  readonly luck: { readonly username: string; readonly raw: number[]; readonly adjusted: number[] }[];
}

function playedMatch(
  id: string,
  seed: string,
  players: string[],
  multiplier: string,
  stacks: 'carry' | 'reset',
): Played {
  const random = seededRandom(Number(id.slice(1)));
  const [numRounds, bigBlind, startingStack] = [60, 16, 4000];
  const luck = players.map((username): Played['luck'][number] => ({ username, raw: [], adjusted: [] }));
  for (let hand = 0; hand < 50; hand++) {
    const winner = Math.floor(random() * players.length);
    const won = Math.floor(random() * 40);
    for (const [seat, { username, raw, adjusted }] of luck.entries()) {
      const net = (seat === winner ? won * (players.length - 1) : -won) + (username === 'ann' ? 6 : 0);
      raw.push((raw.at(-1) ?? 0) + net);
      adjusted.push((adjusted.at(-1) ?? 0) + net / 2 + Math.floor(random() * 400) / 100);
    }
  }
  const blinds = { bigBlind, multiplier, interval: 10 };
  const match = { players, bigBlind, blindMultiplier: multiplier, blindInterval: 10, startingStack, numRounds };
  const { big: lastBigBlind } = blindsAt(numRounds, blinds, players.length * startingStack);
  const [raw, adjusted] = [luck.map((one) => one.raw), luck.map((one) => one.adjusted)];
  const blocks = sumMatch(match, raw, adjusted);
  const sums = { seed, players, stacks, startingStack, bigBlind, lastBigBlind, blocks };
  return { id, sums, luck, facts: { hands: numRounds, startingStack, blinds, stacks } };
}

/** Returns the figures of GET /live/standings. */
function bodyOf({ players, pairs, headsUp, ratingCheck }: Standings) {
  const { estimator, better, handsNeeded } = pairs;
  return {
    players: players.map(({ player, matches, estimates, groups, ranks, rating }) => ({
      username: player,
      matches,
      groups,
      ranks,
      rating,
      estimates: Object.fromEntries(
        Object.entries(estimates).map(([one, estimate]) => {
          if (estimate === null) return [one, null];
          const { chips, bigBlinds, hands } = estimate;
          const inChips = {
            chips_per_100: chips.mean,
            low: chips.low,
            high: chips.high,
            standard_error: chips.standardError,
          };
          return [
            one,
            { ...inChips, bb_per_100: bigBlinds.mean, bb_low: bigBlinds.low, bb_high: bigBlinds.high, hands },
          ];
        }),
      ),
    })),
    pairs: { estimator, usernames: players.map(({ player }) => player), better, hands_needed: handsNeeded },
    heads_up: headsUp.map(({ players: [username, opponent], hands, mean, interval }) => ({
      username,
      opponent,
      hands,
      chips_per_100: mean,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
    })),
    rating_check: ratingCheck && {
      pairs: ratingCheck.pairs,
      expected: ratingCheck.expected,
      correct: ratingCheck.correct,
      standard_error: ratingCheck.standardError,
    },
  };
}

test.skipIf(tooOld)(
  'computes every figure of a site, with falling blinds, deal sets and tables of two, and names each changed one',
  async () => {
    const names = ['ann', 'bob', 'cat'];
    const matches = Array.from({ length: 34 }, (_, index) => {
      const id = `m${String(index).padStart(2, '0')}`;
      const rotated = names.map((__, seat) => names[(seat + index) % 3] ?? '');
      if (index < 9)
        return playedMatch(id, `set${Math.floor(index / 3)}`, rotated, '1.5', index < 6 ? 'carry' : 'reset');
      if (index < 12) return playedMatch(id, 'incomplete', names, '1', 'carry');
      const duel = index === 12 ? ['dan', 'bob'] : index % 2 === 0 ? ['ann', 'bob'] : ['cat', 'ann'];
      return playedMatch(id, id, duel, index < 24 ? '0.5' : '2', 'carry');
    });
    let body: unknown = bodyOf(computeStandings(matches.map(({ sums }) => sums)));
    const answers = new Map<string, () => unknown>([['/live/standings', () => body]]);
    const jobs = matches.map(({ id, sums }) => ({ job_id: id, players: sums.players }));
    answers.set('/live/public-job-ids/paginated', () => ({ jobs, has_next: false }));
    for (const { id, sums, facts, luck } of matches) {
      answers.set(`/live/job/${id}/commitment`, () => ({ public_input: JSON.stringify(facts) }));
      answers.set(`/live/job/${id}/seed`, () => ({ seed: sums.seed }));
      answers.set(`/live/job/${id}/luck`, () => ({ state: 'ready', players: luck }));
    }
    const server = createServer(({ url = '' }, response) => {
      response.end(JSON.stringify(answers.get(url.split('?')[0] ?? '')?.()));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await printed(origin)).toEqual({
      status: 0,
      text: expect.stringMatching(
        /^rating: (.|\n)*\nheads-up: (.|\n)*\n {2}ann against cat(.|\n)*\ncheck of the ratings: pairs (.|\n)*equal to the site\n$/,
      ),
    });

    let changed = 0;
    body = JSON.parse(JSON.stringify(body), (_, value: unknown) => {
      if (typeof value !== 'number') return value;
      changed += 1;
      return value + 1;
    });
    const { status, text } = await printed(origin);
    expect(text).toContain(`\n${changed} values differ from the site, the first: rating, ann: matches is `);
    expect(status).toBe(1);
  },
);
