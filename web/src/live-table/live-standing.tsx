import { deltaClass } from '../lib/format.ts';
import { formatChange, formatChips } from '../table/chips.ts';
import { PlayerName } from '../table/player-name.tsx';
import { compareRows, type StandingRow } from './standing.ts';

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
