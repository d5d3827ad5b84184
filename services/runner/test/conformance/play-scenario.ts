// Plays a scenario with the real dealer against scripted seats.
import { Action, type ActionKind } from '@husky/holdem/action';
import type { HandRecord } from '@husky/match/record';
import { RULES_VERSION } from '@husky/match/rules-version';
import { Match } from '../../src/play/match.ts';
import { defaultLimits, type MatchSetup, type Profile } from '../../src/play/setup.ts';
import { questionIn, type Script, ScriptedHost } from '../scripted-host.ts';
import { bigBlind, type Scenario, startingStack } from './scenarios.ts';

/** A bot's reply to a question. */
export interface GivenReply {
  readonly kind: ActionKind;
  readonly amount: number;
  /** The reply came after the time limit and was discarded. */
  readonly late: boolean;
}

export interface SeatOfScenario {
  readonly playerId: number;
  /** The dealer's lines of the seat protocol. */
  readonly lines: readonly string[];
  readonly replies: readonly GivenReply[];
}

export interface PlayedScenario {
  readonly setup: MatchSetup;
  readonly records: readonly HandRecord[];
  readonly seats: readonly SeatOfScenario[];
}

const clockStepMs = 100;

function replyFor(move: string): GivenReply {
  const late = move === 't';
  if (move.startsWith('r')) return { kind: Action.RAISE, amount: Number(move.slice(1)), late };
  const kinds: Record<string, ActionKind> = {
    f: Action.FOLD,
    k: Action.CHECK,
    c: Action.CALL,
    a: Action.ALL_IN,
    t: Action.CALL,
  };
  const kind = kinds[move];
  if (kind === undefined) throw new RangeError(`'${move}' is no move`);
  return { kind, amount: 0, late };
}

/** Plays all hands of a scenario. Throws when the moves do not fit the questions. */
export async function playScenario(scenario: Scenario, profile: Profile): Promise<PlayedScenario> {
  const moves = scenario.hands.flatMap((hand) => hand.split(' '));
  const replies: GivenReply[][] = Array.from({ length: scenario.players }, () => []);
  let clockMs = 0;
  let finishLate = (): void => undefined;
  const scriptOf = (number: number): Script => {
    return (line, seat) => {
      if (line === '') return ['{"ready":true,"load_ms":5,"skips":[]}'];
      const seq = questionIn(line);
      if (seq === 0) return [];
      finishLate();
      const move = moves.shift();
      if (move === undefined) throw new Error(`${scenario.name} has too few moves`);
      const reply = replyFor(move);
      (replies[number] as GivenReply[]).push(reply);
      const text = `[${seq},${reply.kind},${reply.amount}]`;
      if (!reply.late) return [text];
      // The clock runs only while a reply is overdue, so that the match takes the same course on a slow machine.
      const clock = setInterval(() => {
        clockMs += clockStepMs;
        seat.cpuMs += clockStepMs;
      }, 5);
      finishLate = () => {
        clearInterval(clock);
        finishLate = () => undefined;
        seat.send(text);
      };
      return [];
    };
  };
  const host = new ScriptedHost(Array.from({ length: scenario.players }, (_, number) => scriptOf(number)));
  const setup: MatchSetup = {
    name: scenario.name,
    rulesVersion: RULES_VERSION,
    seed: new Uint8Array(32).fill(scenario.seedByte),
    numRounds: scenario.hands.length,
    startingStack,
    stacks: 'carry',
    blinds: { bigBlind, multiplier: '1', interval: 1000 },
    profile,
    limits: defaultLimits,
    seats: host.seats.map((_, seat) => ({ botDir: `bots/${seat}`, packagesDir: null })),
  };
  const records: HandRecord[] = [];
  const hooks = { onHand: (_: number, record: HandRecord) => void records.push(record), hold: () => null };
  try {
    const match = new Match(setup, await host.connect(), hooks, () => clockMs);
    await match.start();
    await match.play();
    const ids = match.seats.map(({ id }) => id);
    await match.close();
    if (moves.length > 0) throw new Error(`${scenario.name} has ${moves.length} moves too many`);
    const seats = host.seats.map(({ lines }, seat) => ({
      playerId: ids[seat] as number,
      lines,
      replies: replies[seat] as GivenReply[],
    }));
    return { setup, records, seats };
  } finally {
    finishLate();
    await host.stop();
  }
}
