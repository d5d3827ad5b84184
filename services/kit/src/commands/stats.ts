import type { Interval } from '@husky/estimate/intervals';
import { sumBlocks } from '@husky/estimate/match-sums';
import { countHand, PlayCounters } from '@husky/estimate/play-counters';
import { figuresOf, type PlayFigure } from '@husky/estimate/play-statistics';
import { computeStandings, type MatchSums } from '@husky/estimate/standings';
import type { PublishedHand } from '@husky/match/published-hand';
import type { HandRecord } from '@husky/match/record';
import type { Command } from '../command.ts';
import { type MatchFile, openMatchFile, publishedHand } from '../match-file.ts';
import { KitError } from '../wire.ts';

/** Winnings of 100 hands: of those in which the player was dealt cards, and of all at its tables, as in standings. */
interface Winnings {
  readonly per_dealt: number;
  readonly per_table: number;
  /** Of `per_table`; null with fewer than two independent matches. */
  readonly interval: Interval | null;
}

export interface PlayerStatistics {
  readonly player: string;
  readonly matches: number;
  /** Hands in which the player was dealt cards. */
  readonly hands: number;
  readonly table_hands: number;
  readonly chips: number;
  readonly chips_per_100: Winnings;
  readonly big_blinds_per_100: Winnings;
  readonly figures: readonly PlayFigure[];
}

export interface Statistics {
  readonly matches: number;
  readonly hands: number;
  readonly players: readonly PlayerStatistics[];
}

interface PlayerSums {
  readonly counters: PlayCounters;
  matches: number;
  chips: number;
  bigBlinds: number;
  tableHands: number;
}

/** Returns statistics of play and winnings over match files. Throws KitError, also for a match that is named twice. */
export async function stats(paths: readonly string[]): Promise<Statistics> {
  const players = new Map<string, PlayerSums>();
  const matches: MatchSums[] = [];
  const seen = new Map<string, string>();
  for (const path of paths) {
    const file = await openMatchFile(path);
    const twin = seen.get(file.manifest.job_id);
    if (twin !== undefined) throw new KitError(2, `${path} and ${twin} are the same match. Name each match once.`);
    seen.set(file.manifest.job_id, path);
    matches.push(await addMatch(players, file));
  }
  const standings = computeStandings(matches);
  return {
    matches: paths.length,
    hands: standings.hands,
    players: [...players].map(([player, sums]) => {
      const { chips, bigBlinds } = standings.players.find((one) => one.player === player)?.estimates.raw ?? {};
      return presentPlayer(player, sums, chips ?? null, bigBlinds ?? null);
    }),
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

/** Counts the hands of a match. Returns its sums. */
async function addMatch(players: Map<string, PlayerSums>, file: MatchFile): Promise<MatchSums> {
  const names = file.manifest.players.map(({ username }) => username);
  const bySeat = names.map((name) => {
    const sums = players.get(name) ?? {
      counters: new PlayCounters(),
      matches: 0,
      chips: 0,
      bigBlinds: 0,
      tableHands: 0,
    };
    players.set(name, sums);
    return sums;
  });
  for (const sums of new Set(bySeat)) sums.matches += 1;
  const counters = bySeat.map((sums) => sums.counters);
  const nets = names.map((): number[] => []);
  const bigBlinds: number[] = [];
  let first: readonly number[] = [];
  let carried = false;
  for await (const hand of file.hands()) {
    const published = publishedHand(file, hand);
    const { startStacks, bigBlind, deltas } = published;
    if (startStacks.length !== names.length)
      throw new KitError(2, `Hand ${published.number} of ${file.name} has another number of seats than its manifest.`);
    if (bigBlinds.length === 0) first = startStacks;
    carried ||= startStacks.some((chips, seat) => chips !== first[seat]);
    bigBlinds.push(bigBlind);
    countHand(counters, { record: recordOf(published), startStacks, bigBlind });
    for (const [seat, sums] of bySeat.entries()) {
      const delta = deltas[seat] ?? 0;
      sums.chips += delta;
      sums.bigBlinds += delta / bigBlind;
      sums.tableHands += 1;
      nets[seat]?.push(delta);
    }
  }
  return {
    seed: file.manifest.seed ?? file.manifest.job_id,
    players: names,
    stacks: carried ? 'carry' : 'reset',
    startingStack: Math.max(...first),
    bigBlind: bigBlinds[0] ?? 1,
    lastBigBlind: bigBlinds.at(-1),
    blocks: sumBlocks(nets, null, bigBlinds, bigBlinds.length),
  };
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

function presentPlayer(
  player: string,
  sums: PlayerSums,
  chips: Interval | null,
  bigBlinds: Interval | null,
): PlayerStatistics {
  const hands = sums.counters.ofHands('hands');
  const winnings = (won: number, interval: Interval | null): Winnings => ({
    per_dealt: hands === 0 ? 0 : (100 * won) / hands,
    per_table: sums.tableHands === 0 ? 0 : (100 * won) / sums.tableHands,
    interval,
  });
  return {
    player,
    matches: sums.matches,
    hands,
    table_hands: sums.tableHands,
    chips: sums.chips,
    chips_per_100: winnings(sums.chips, chips),
    big_blinds_per_100: winnings(sums.bigBlinds, bigBlinds),
    figures: figuresOf(sums.counters),
  };
}
