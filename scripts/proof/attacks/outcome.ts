import type { AttackCase } from './case-files.ts';
import { judge, type SeatRecord } from './judge.ts';

/** The result of a case on one kind of machine. */
export interface Outcome {
  readonly attack: AttackCase;
  /** The observed verdict, or the status of the refused upload. */
  readonly seen: string;
  readonly held: readonly string[];
  readonly escaped: readonly string[];
  readonly unsure: readonly string[];
  /** Reasons why the case fails; empty when it passes. */
  readonly problems: readonly string[];
  /** Processor time of the honest bots divided by their time in the match without the attacker; NaN: not measured. */
  readonly slowdown: number;
  readonly seconds: number;
}

/** What was recorded of one match on a platform or on a seat host. */
export interface MatchRecord {
  readonly seats: readonly SeatRecord[];
}

/** Combines the judgements of a case's matches. */
export function outcomeOf(
  attack: AttackCase,
  matches: readonly MatchRecord[],
  more: { readonly problems: readonly string[]; readonly slowdown: number; readonly seconds: number },
): Outcome {
  const judged = matches.flatMap(({ seats }) => {
    const [attacker, partner] = seats;
    if (attacker === undefined) return [];
    return [judge(attack, attacker, attack.partner ? partner : undefined)];
  });
  return {
    attack,
    seen: [...new Set(judged.map(({ end }) => end))].join(', ') || '-',
    held: judged.flatMap(({ held }) => held),
    escaped: judged.flatMap(({ escaped }) => escaped),
    unsure: judged.flatMap(({ unsure }) => unsure),
    problems: [...judged.flatMap(({ problems }) => problems), ...more.problems],
    slowdown: more.slowdown,
    seconds: more.seconds,
  };
}

/** Returns the outcome of a case that could not be judged. */
export function failedOutcome(attack: AttackCase, problem: string, seconds: number): Outcome {
  return { attack, seen: '-', held: [], escaped: [], unsure: [], problems: [problem], slowdown: Number.NaN, seconds };
}

/** Formats an outcome for the terminal, with a line for each problem. */
export function formatOutcome({ attack, seen, held, escaped, problems, slowdown, seconds }: Outcome): string {
  const mark = problems.length > 0 ? 'FAILED' : escaped.length > 0 ? 'open  ' : 'ok    ';
  const time = Number.isNaN(slowdown) ? '' : `, honest x${slowdown.toFixed(2)}`;
  const first = `${mark} ${`${attack.group}/${attack.name}`.padEnd(46)} ${seen.padEnd(10)} ${held.length} held, ${seconds.toFixed(1)} s${time}`;
  return [first, ...problems.map((problem) => `         ${problem}`)].join('\n');
}
