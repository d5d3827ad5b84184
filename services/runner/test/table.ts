import { join } from 'node:path';
import { Table } from '@husky/holdem/table';
import { decodeChunk, encodeChunk } from '@husky/match/chunk';
import type { HandRecord } from '@husky/match/record';
import { type ReplayedHand, redeal } from '@husky/match/replay';
import { RULES_VERSION } from '@husky/match/rules-version';
import type { StacksMode } from '@husky/match/stacks';
import type { LocalHost } from '../bench/local-host.ts';
import { Match, type MatchEnd } from '../src/play/match.ts';
import type { SeatReport } from '../src/play/seat.ts';
import { defaultLimits, type Limits, type MatchSetup, type Profile } from '../src/play/setup.ts';

const folder = join(import.meta.dirname, '..');

/** Returns the Python source of a calling bot with the additional methods `body`, indented by four spaces. */
export function bot(body: string, head = ''): string {
  return `
import ctypes, json, os, sys, threading, time
from bot import Bot
from type.poker_action import PokerAction
${head}

class SimplePlayer(Bot):
    def on_start(self, *a): pass
    def on_round_start(self, *a): pass
    def on_end_round(self, *a): pass
    def on_end_game(self, *a): pass
    def get_action(self, round_state, remaining_chips): return PokerAction.CALL, 0
${body}
`;
}

export interface Played {
  readonly setup: MatchSetup;
  readonly end: MatchEnd;
  readonly records: readonly HandRecord[];
  readonly reports: readonly SeatReport[];
  readonly deltas: readonly number[];
}

export interface TableOptions {
  readonly hands?: number;
  readonly seed?: Uint8Array;
  readonly limits?: Partial<Limits>;
  readonly profile?: Profile;
  readonly startingStack?: number;
  readonly stacks?: StacksMode;
  readonly bigBlind?: number;
  readonly packagesDir?: string;
  readonly onHand?: (number: number, match: Match) => void;
}

let made = 0;

/** Adds a bot to the host: by name (example or fixture bot), or by source when the text has several lines. */
export function addBotTo(local: LocalHost, given: string): string {
  made += 1;
  if (given.includes('\n')) return local.addSource(`source-${made}`, given);
  const fixtures = [
    'calling-station',
    'random-legal',
    'tight-aggressive',
    'pot-odds',
    'position-aware',
    'pressure',
    'house',
  ];
  return local.addBot(join(folder, fixtures.includes(given) ? 'bots' : 'fixtures/bots', given));
}

/** Returns a match of these bots on the host, and the list to which it adds the record of each hand. */
export function matchOf(local: LocalHost, bots: readonly string[], options: TableOptions = {}): [Match, HandRecord[]] {
  const records: HandRecord[] = [];
  const setup: MatchSetup = {
    name: 'test',
    rulesVersion: RULES_VERSION,
    seed: options.seed ?? new Uint8Array(32).fill(7),
    numRounds: options.hands ?? 20,
    startingStack: options.startingStack ?? 10_000,
    stacks: options.stacks ?? 'carry',
    blinds: { bigBlind: options.bigBlind ?? 10, multiplier: '1', interval: 1000 },
    profile: options.profile ?? 'documented',
    limits: { ...defaultLimits, ...options.limits },
    seats: bots.map((given) => ({ botDir: addBotTo(local, given), packagesDir: options.packagesDir ?? null })),
  };
  const match = new Match(setup, local.host, {
    onHand(number, record) {
      records.push(record);
      options.onHand?.(number, match);
    },
    hold: () => null,
  });
  return [match, records];
}

/** Plays a whole match and checks that it is zero-sum and that its chunks re-deal to the same results. */
export async function play(local: LocalHost, bots: readonly string[], options: TableOptions = {}): Promise<Played> {
  const [match, records] = matchOf(local, bots, options);
  try {
    await match.start();
    const end = await match.play();
    const reports = await match.close();
    const deltas = bots.map((_, seat) => records.reduce((sum, hand) => sum + (hand.deltas[seat] ?? 0), 0));
    const played = { setup: match.setup, end, records, reports, deltas };
    verify(played);
    return played;
  } catch (error) {
    await match.close().catch(() => undefined);
    throw error;
  }
}

/** Re-deals the match from its chunks and returns its hands. Throws when a record does not follow from seed and rules. */
export function verify({ setup, records, end }: Pick<Played, 'setup' | 'records' | 'end'>): ReplayedHand[] {
  if (records.length !== end.handsPlayed) throw new Error(`${records.length} records of ${end.handsPlayed} hands`);
  const { rulesVersion, seats, startingStack, stacks, blinds } = setup;
  const table = new Table({ rulesVersion, players: seats.length, startingStack, stacks, blinds });
  const hands: ReplayedHand[] = [];
  for (let first = 0; first < records.length; first += 64) {
    const { stacks: startStacks, handNumber: _, ...last } = table.state;
    const chunk = encodeChunk({
      rulesVersion,
      firstHand: first + 1,
      startStacks,
      ...(table.resetStack !== null && { resetStack: table.resetStack }),
      ...last,
      hands: records.slice(first, first + 64),
    });
    hands.push(...redeal(setup.seed, table, decodeChunk(chunk)));
  }
  for (const { record, number } of hands) {
    const sum = record.deltas.reduce((all, delta) => all + delta, 0);
    if (sum !== 0) throw new Error(`hand ${number} is not zero-sum: ${sum}`);
  }
  return hands;
}

/** Counts the faults of one seat's decisions by kind. */
export function faultsOf(played: Pick<Played, 'records'>, seat: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { actions } of played.records) {
    for (const { seat: actor, fault } of actions) {
      if (actor === seat && fault !== undefined) counts[fault] = (counts[fault] ?? 0) + 1;
    }
  }
  return counts;
}
