import { Name } from '../components/name.tsx';
import { deltaClass } from '../lib/format.ts';
import { lineStyle } from '../performance/line-style.ts';
import { formatChange, formatChips } from '../table/chips.ts';
import type { LiveJob } from './live-merge.ts';

/** Shows the players by chips, and in which hand each other one went out. */
export function Standing({ rows }: { rows: readonly StandingRow[] }) {
  return (
    <ol className="broadcast-standing" aria-label="Standings at the table">
      {rows.map(({ name, seat, stack, delta, outIn, rank }) => (
        <li key={name} className={outIn === null ? undefined : 'broadcast-out'}>
          <span className="mono-number" style={{ color: `var(${lineStyle(seat).token})` }}>
            {rank}.
          </span>
          <Name name={name} />
          {outIn === null ? (
            <span className={`mono-number ${deltaClass(delta)}`}>
              {stack === null ? formatChange(delta) : formatChips(stack)}
            </span>
          ) : (
            <span>out in hand {outIn}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

export type StandingRow = {
  name: string;
  /** Index of the player's line. */
  seat: number;
  /** Chips now; null before the first progress event, and if every hand starts with the starting stack. */
  stack: number | null;
  delta: number;
  /** The hand in which the player lost the last chips; null while in play. */
  outIn: number | null;
  /** Players with the same chips, or who went out in the same hand, share a rank. */
  rank: number;
};

type Unranked = Omit<StandingRow, 'rank'>;
const compareRows = (a: Unranked, b: Unranked): number =>
  a.outIn === b.outIn ? b.delta - a.delta : (b.outIn ?? Infinity) - (a.outIn ?? Infinity);

/** Returns the players after a hand: those in play by chips, then those who are out, the last one first. */
export function standingAfter(job: LiveJob, hand: number): StandingRow[] {
  const start = job.progress?.resetsStacks ? null : (job.progress?.startingStack ?? null);
  const outIn = new Map<string, number>();
  for (const [index, played] of job.hands.slice(0, hand).entries()) {
    for (const name of played.out) outIn.set(name, index + 1);
  }
  const rows = [...job.series]
    .map(([name, values], seat) => {
      const delta = hand === 0 ? 0 : (values[Math.min(hand, values.length) - 1] ?? 0);
      return { name, seat, delta, stack: start === null ? null : start + delta, outIn: outIn.get(name) ?? null };
    })
    .sort(compareRows);
  return rows.map((row) => ({ ...row, rank: 1 + rows.findIndex((other) => compareRows(other, row) === 0) }));
}
