import { readFileSync } from 'node:fs';
import type { HandRecord } from '@husky/match/record';
import { RULES_VERSION } from '@husky/match/rules-version';
import { expect, vi } from 'vitest';
import type { SeatHost } from '../src/host/seat-host.ts';
import { Match, type MatchEnd } from '../src/play/match.ts';
import { Seat, type SeatReport } from '../src/play/seat.ts';
import { SeatLink } from '../src/play/seat-link.ts';
import { defaultLimits, type Limits, type MatchSetup, type Profile } from '../src/play/setup.ts';
import { questionIn, replying, type Script, ScriptedHost, type ScriptedSeat } from './scripted-host.ts';

/** Limits of the matches of tests: small, so that few steps of the clock reach them. */
export const limits: Limits = { ...defaultLimits, decisionMs: 1000, bankMs: 3000, freeMs: 100, faultsToDisable: 3 };

/** Returns the inputs of a match of two hands with carried stacks of 1,000 chips. */
export function matchSetup(seats: MatchSetup['seats'], change: Partial<MatchSetup> = {}): MatchSetup {
  return {
    name: 'test',
    rulesVersion: RULES_VERSION,
    seed: new Uint8Array(32).fill(7),
    numRounds: 2,
    startingStack: 1000,
    stacks: 'carry',
    blinds: { bigBlind: 10, multiplier: '1', interval: 1000 },
    profile: 'documented',
    limits,
    seats,
    ...change,
  };
}

interface Options {
  readonly hands?: number;
  readonly profile?: Profile;
  readonly absent?: string;
  readonly limits?: Partial<Limits>;
  readonly hold?: () => Promise<void> | null;
  /** Time for records. */
  readonly clock?: () => number;
  readonly onHand?: () => void;
}

/** Starts a match on a scripted host with a clock that only the test advances. */
export class Bench {
  readonly host: ScriptedHost;
  readonly records: HandRecord[] = [];
  nowMs = 0;
  match: Match | null = null;

  constructor(scripts: readonly Script[]) {
    this.host = new ScriptedHost(scripts);
  }

  async open({
    hands = 2,
    profile = 'documented',
    absent,
    limits: changed,
    hold = () => null,
    ...hooked
  }: Options = {}): Promise<Match> {
    const seats = this.host.seats.map((_, seat) =>
      absent !== undefined && seat === 0 ? { unfetchable: absent } : { botDir: `bots/${seat}`, packagesDir: null },
    );
    const setup = matchSetup(seats, { numRounds: hands, profile, limits: { ...limits, ...changed } });
    const hooks = { onHand: (_: number, record: HandRecord) => void this.records.push(record), hold, ...hooked };
    this.match = new Match(setup, await this.host.connect(), hooks, () => this.nowMs);
    return this.match;
  }

  /** Starts to play. `end` is the promise of `play`. */
  async begin(options: Options = {}): Promise<{ readonly match: Match; readonly end: Promise<MatchEnd> }> {
    const match = await this.open(options);
    await match.start();
    return { match, end: match.play() };
  }

  async play(options: Options = {}): Promise<SeatReport[]> {
    const { match, end } = await this.begin(options);
    expect((await end).handsPlayed).toBe(this.records.length);
    return match.close();
  }

  /** Returns the faults of a seat with their details, in the order of the hands. */
  faultsOf(seat: number): (string | undefined)[] {
    return this.records.flatMap(({ actions }) =>
      actions.flatMap((action) =>
        action.seat === seat && action.fault !== undefined
          ? [action.detail === undefined ? action.fault : `${action.fault}: ${action.detail}`]
          : [],
      ),
    );
  }
}

/** Opens seats with these ids at a scripted host, without a match. Resolves when all have loaded; later messages are ignored. */
export async function openSeats(control: SeatHost, ids: readonly number[]): Promise<Seat[]> {
  const files = { bot_dir: '', packages_dir: null, memory_mib: 1, log_bytes: 1, seed: null };
  const sockets = await control.open(
    'test',
    'documented',
    ids.map((id, seat) => ({ seat, player_id: id, ...files })),
  );
  const seats = ids.map((id, number) => new Seat(number, id, limits.bankMs));
  await Promise.all(
    seats.map((seat) => {
      const loaded = Promise.withResolvers<void>();
      const ignore = () => undefined;
      const listener = { onMessage: () => loaded.resolve(), onEndlessLine: ignore, onEnd: ignore };
      seat.link = new SeatLink(sockets.get(seat.number) as string, listener);
      return loaded.promise;
    }),
  );
  return seats;
}

/** Returns the script of a seat that replies to a question only when the test calls `release`. */
export function manualSeat(): {
  readonly script: Script;
  readonly firstQuestion: () => Promise<number>;
  readonly release: () => void;
} {
  const questions: number[] = [];
  let seat: ScriptedSeat | null = null;
  return {
    script: (line, own) => {
      seat = own;
      if (line === '') return ['{"ready":true,"load_ms":5,"skips":[]}'];
      const seq = questionIn(line);
      if (seq > 0) questions.push(seq);
      return [];
    },
    firstQuestion: () =>
      vi.waitFor(() => questions[0] ?? Promise.reject(new Error('no question')), { timeout: 20_000 }),
    release: () => {
      const seq = questions.shift();
      if (seq !== undefined) seat?.send(`[${seq},3,0]`);
    },
  };
}

/** Waits until the check does not throw, for 20 s at most. */
export async function until(check: () => void): Promise<void> {
  await vi.waitFor(check, { timeout: 20_000, interval: 2 });
}

interface Fixture {
  readonly dialogues: readonly {
    readonly profile: Profile;
    readonly seats: readonly { readonly dealer: readonly string[]; readonly seat: readonly string[] }[];
  }[];
}

/** The dialogues of the seat protocol: the dealer's lines and the seat's. */
export const { dialogues } = JSON.parse(
  readFileSync(new URL('../fixtures/seat-protocol.json', import.meta.url), 'utf8'),
) as Fixture;

/** Returns a script that sends, for each question, the lines of a fixture up to and including the next reply. */
export function fromFixture(lines: readonly string[]): Script {
  const rest = [...lines];
  return replying(() => rest.splice(0, rest.findIndex((line) => !line.startsWith('["!"')) + 1));
}
