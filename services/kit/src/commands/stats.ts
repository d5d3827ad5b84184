import type { Sample } from '@husky/estimate/clusters';
import { estimateMean, type Interval, minClusters } from '@husky/estimate/intervals';
import { maxBlocks } from '@husky/estimate/match-sums';
import { countHand, PlayCounters } from '@husky/estimate/play-counters';
import { figuresOf, type PlayFigure } from '@husky/estimate/play-statistics';
import type { PublishedHand } from '@husky/match/published-hand';
import type { HandRecord } from '@husky/match/record';
import type { Command } from '../command.ts';
import { type MatchFile, openMatchFile, publishedHand } from '../match-file.ts';
import { KitError } from '../wire.ts';

/** Winnings of 100 hands; `interval` is null with fewer than five clusters. */
interface Winnings {
  readonly mean: number;
  readonly interval: Interval | null;
}

export interface PlayerStatistics {
  readonly player: string;
  readonly matches: number;
  readonly hands: number;
  readonly chips: number;
  readonly chips_per_100: Winnings;
  readonly big_blinds_per_100: Winnings;
  readonly figures: readonly PlayFigure[];
}

export interface Statistics {
  readonly matches: number;
  readonly hands: number;
  /** The clusters that intervals treat as independent: matches, or with fewer than five of them blocks of consecutive hands. */
  readonly clusters: 'matches' | 'blocks';
  readonly players: readonly PlayerStatistics[];
}

interface Sums {
  chips: number;
  bigBlinds: number;
  hands: number;
}

/** Statistics and winnings of one player: counters, and sums of each match and of each block of hands. */
class PlayerSums {
  readonly counters = new PlayCounters();
  readonly matches: Sums[] = [];
  readonly blocks: Sums[] = [];

  startMatch(): void {
    this.matches.push({ chips: 0, bigBlinds: 0, hands: 0 });
  }

  startBlock(): void {
    this.blocks.push({ chips: 0, bigBlinds: 0, hands: 0 });
  }

  add(chips: number, bigBlind: number): void {
    for (const sums of [this.matches.at(-1), this.blocks.at(-1)]) {
      if (sums === undefined) continue;
      sums.chips += chips;
      sums.bigBlinds += chips / bigBlind;
      sums.hands += 1;
    }
  }
}

/** Returns statistics of play and winnings over match files. Throws KitError, also for a match that is named twice. */
export async function stats(paths: readonly string[]): Promise<Statistics> {
  const players = new Map<string, PlayerSums>();
  const seen = new Map<string, string>();
  let hands = 0;
  for (const path of paths) {
    const file = await openMatchFile(path);
    const twin = seen.get(file.manifest.job_id);
    if (twin !== undefined) throw new KitError(2, `${path} and ${twin} are the same match. Name each match once.`);
    seen.set(file.manifest.job_id, path);
    hands += await addMatch(players, file);
  }
  const clusters = paths.length >= minClusters ? 'matches' : 'blocks';
  return {
    matches: paths.length,
    hands,
    clusters,
    players: [...players].map(([player, sums]) => presentPlayer(player, sums, clusters)),
  };
}

/** The command `stats` with `{paths, player?}`. */
export const statsCommand: Command = async ({ paths, player }) => {
  const found = await stats(paths as string[]);
  if (typeof player !== 'string') return found;
  const players = found.players.filter((one) => one.player === player);
  const names = found.players.map((one) => one.player).join(', ');
  if (players.length === 0) throw new KitError(2, `No player is named ${player}. The players are ${names}.`);
  return { ...found, players };
};

async function addMatch(players: Map<string, PlayerSums>, file: MatchFile): Promise<number> {
  const bySeat = file.manifest.players.map(({ username }) => {
    const sums = players.get(username) ?? new PlayerSums();
    players.set(username, sums);
    return sums;
  });
  const inMatch = new Set(bySeat);
  for (const sums of inMatch) sums.startMatch();
  const blockHands = Math.max(1, Math.ceil(file.manifest.hands / maxBlocks));
  const counters = bySeat.map((sums) => sums.counters);
  let hands = 0;
  for await (const hand of file.hands()) {
    const published = publishedHand(file, hand);
    if (published.startStacks.length !== bySeat.length) {
      throw new KitError(2, `Hand ${published.number} of ${file.name} has another number of seats than its manifest.`);
    }
    if (hands % blockHands === 0) for (const sums of inMatch) sums.startBlock();
    countHand(counters, {
      record: recordOf(published),
      startStacks: published.startStacks,
      bigBlind: published.bigBlind,
    });
    for (const [seat, sums] of bySeat.entries()) {
      if ((published.startStacks[seat] ?? 0) > 0) sums.add(published.deltas[seat] ?? 0, published.bigBlind);
    }
    hands += 1;
  }
  return hands;
}

/** Returns a record with the facts that statistics count; times and faults are left out. */
function recordOf({ startedAtMs, actions, deltas, smallBlindSeat }: PublishedHand): HandRecord {
  return {
    startedAtMs,
    ...(smallBlindSeat === null && { deadSmallBlind: true }),
    deltas,
    actions: actions.map(({ street, seat, kind, amount }) => ({ street, seat, kind, amount, adjusted: false, ms: 0 })),
  };
}

function presentPlayer(player: string, sums: PlayerSums, clusters: Statistics['clusters']): PlayerStatistics {
  const parts = sums[clusters].filter(({ hands }) => hands > 0);
  return {
    player,
    matches: sums.matches.length,
    hands: sums.counters.ofHands('hands'),
    chips: sums.matches.reduce((total, { chips }) => total + chips, 0),
    chips_per_100: winningsOf(parts, ({ chips }) => chips),
    big_blinds_per_100: winningsOf(parts, ({ bigBlinds }) => bigBlinds),
    figures: figuresOf(sums.counters),
  };
}

function winningsOf(parts: readonly Sums[], amountIn: (sums: Sums) => number): Winnings {
  const sample: Sample = {
    sums: Float64Array.from(parts, (sums) => 100 * amountIn(sums)),
    hands: Float64Array.from(parts, ({ hands }) => hands),
  };
  const hands = sample.hands.reduce((total, count) => total + count, 0);
  const total = sample.sums.reduce((sum, value) => sum + value, 0);
  return { mean: hands === 0 ? 0 : total / hands, interval: estimateMean(sample) };
}
