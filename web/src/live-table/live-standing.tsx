import { deltaClass } from '../lib/format.ts';
import { formatChange, formatChips } from '../table/chips.ts';
import { PlayerName } from '../table/player-name.tsx';
import type { LiveJob } from './live-merge.ts';

const NAME_LENGTH = 20;

/** Shows the players by chips, and in which hand each other one went out. */
export function LiveStanding({ rows, running }: { rows: readonly StandingRow[]; running: boolean }) {
  const title = running ? 'CURRENT STANDINGS' : 'STANDINGS AT THE END';
  return (
    <section className="live-standing" aria-label="Standings at the table">
      <h2 className="live-standing-title">{title}</h2>
      <ol>
        {rows.map((row) => {
          const { name, stack, delta, outIn } = row;
          return (
            <li key={name} className={outIn === null ? undefined : 'live-standing-out'}>
              <span className="mono-number">{1 + rows.findIndex((other) => compareRows(other, row) === 0)}.</span>
              <PlayerName name={name} length={NAME_LENGTH} />
              {outIn === null ? (
                <span className={`mono-number ${stack === null ? deltaClass(delta) : ''}`}>
                  {stack === null ? formatChange(delta) : formatChips(stack)}
                </span>
              ) : (
                <span>out in hand {outIn}</span>
              )}
              {outIn === null && stack !== null && (
                <span className={`mono-number ${deltaClass(delta)}`}>{formatChange(delta)}</span>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

type StandingRow = {
  name: string;
  /** Chips now; null before the first progress event, and if every hand starts with the starting stack. */
  stack: number | null;
  delta: number;
  /** The hand in which the player lost the last chips; null while in play. */
  outIn: number | null;
};

/** Compares two rows, the better one first; 0: they share a rank. */
export function compareRows(a: StandingRow, b: StandingRow): number {
  return a.outIn === b.outIn ? b.delta - a.delta : (b.outIn ?? Infinity) - (a.outIn ?? Infinity);
}

/** Returns the players after a hand: those in play by chips, then those who are out, the last one first. */
export function standingAfter(job: LiveJob, hand: number): StandingRow[] {
  const start = job.progress?.resetsStacks ? null : (job.progress?.startingStack ?? null);
  const outIn = new Map<string, number>();
  for (const [index, played] of job.hands.slice(0, hand).entries()) {
    for (const name of played.out) outIn.set(name, index + 1);
  }
  return [...job.series]
    .map(([name, values]) => {
      const delta = hand === 0 ? 0 : (values[Math.min(hand, values.length) - 1] ?? 0);
      return { name, delta, stack: start === null ? null : start + delta, outIn: outIn.get(name) ?? null };
    })
    .sort(compareRows);
}
