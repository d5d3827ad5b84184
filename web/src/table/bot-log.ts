import type { Action, Game } from './game.ts';

/** What a bot printed in one decision; null: the log does not say, because it is of an earlier release or has lost this part. */
export type DecisionOutput = string | null;

/** One decision of a seat: its action, the step after it, the time that it took and what the bot printed. */
export type Decision = { action: Action; step: number; ms: number | null; output: DecisionOutput };

const PLACE = /^--- hand (\d+), (\w+)(?: (\d+))?$/;
const GAP = /^\[\d+ bytes (?:left out here|of output dropped)\]$|^\[… cut …\]$/;

/**
 * Splits a bot's log by the lines with which the seat host names each call that prints (services/runner/seat/husky_seat/output.py).
 * Returns what was printed in decision n of a hand.
 */
export function outputOf(log: string, hand: number): (decision: number) => DecisionOutput {
  const found = new Map<number, string[]>();
  let [here, marked, lost, gap]: [number, boolean, boolean, boolean] = [0, false, false, false];
  let lines: string[] | null = null;
  for (const line of log.split('\n')) {
    const place = PLACE.exec(line);
    if (place !== null) {
      marked = true;
      const next = Number(place[1]);
      // What is missing may have been of any hand between the last call before the gap and the first one after it.
      lost ||= gap && hand >= here && hand <= next;
      gap = false;
      here = next;
      const decision = here === hand && place[2] === 'get_action' ? Number(place[3]) : 0;
      lines = decision === 0 ? null : [...(found.get(decision) ?? [])];
      if (lines !== null) found.set(decision, lines);
    } else {
      gap ||= GAP.test(line);
      lines?.push(line);
    }
  }
  lost ||= gap && hand >= here;
  const known = log === '' || marked;
  return (decision) => found.get(decision)?.join('\n').trimEnd() ?? (known && !lost ? '' : null);
}

/** Returns the decisions of a seat in order. The time is that between two actions of the log, in whole ms. */
export function decisionsOf(game: Game, seat: number, log: string, hand: number): Decision[] {
  const output = outputOf(log, hand);
  const actions = game.rounds.flatMap((round) => round.actions);
  const own = actions.flatMap((action, step) => (action.seat === seat && !action.post ? [{ action, step }] : []));
  return own.map(({ action, step }, index) => {
    const before = actions[step - 1]?.timestampMs ?? null;
    const ms = before === null || action.timestampMs === null ? null : Math.max(0, action.timestampMs - before);
    return { action, step, ms, output: output(index + 1) };
  });
}
