import type { CSSProperties } from 'react';
import { Link } from 'react-router';
import { formatDelta, formatNumber } from '../../lib/format.ts';
import { playerPath } from '../../lib/matches.ts';
import { letterOf } from '../../lib/scores.ts';
import type { PublicBatch } from '../../lib/types.ts';
import '../../components/matrix.css';
import { Name } from '../../components/name.tsx';

type Standings = PublicBatch['standings'];

const compact = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** Shows a table of players by players: the chips that the row's player won from or lost to the column's player. */
export function WonFromMatrix({ standings }: { standings: Standings }) {
  const largest = Math.max(1, ...standings.flatMap((row) => row.won_from.map(Math.abs)));
  return (
    <>
      <p className="muted">
        Chips that the player of a row won from (+) or lost to (-) the player of a column. In each match the loss of
        every loser is split among the winners in proportion to their wins, so a row adds up to Delta Money.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="matrix-scroll" aria-label="Chips won by pair" tabIndex={0}>
        <table className="matrix">
          <caption className="visually-hidden">Chips won from each player, by player</caption>
          <thead>
            <tr>
              <th scope="col">Player</th>
              {standings.map((column, index) => (
                <th key={column.username} scope="col" title={column.username}>
                  {letterOf(index)} <span className="visually-hidden">{column.username}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {standings.map((row, at) => (
              <tr key={row.username}>
                <th scope="row">
                  {letterOf(at)}{' '}
                  <Link to={playerPath(row.username)}>
                    <Name name={row.username} />
                  </Link>
                </th>
                {standings.map((column, index) => (
                  <Cell key={column.username} row={row} column={column} index={index} largest={largest} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

type CellProps = { row: Standings[number]; column: Standings[number]; index: number; largest: number };

function Cell({ row, column, index, largest }: CellProps) {
  const shared = row.shared[index] ?? 0;
  if (row.username === column.username || shared === 0) {
    return (
      <td className="matrix-none">
        <span aria-hidden="true">·</span>
        <span className="visually-hidden">{shared === 0 && row !== column ? 'never at one table' : 'itself'}</span>
      </td>
    );
  }
  const chips = row.won_from[index] ?? 0;
  const text = `${row.username} ${chips < 0 ? 'lost to' : 'won from'} ${column.username}: ${formatDelta(chips)} in ${formatNumber(shared)} ${shared === 1 ? 'match' : 'matches'}; ahead in ${formatNumber(row.ahead[index] ?? 0)}`;
  return (
    <td
      className={chips < 0 ? 'matrix-lost' : 'matrix-won'}
      style={{ '--share': Math.abs(chips) / largest } as CSSProperties}
      title={text}
    >
      {compact.format(chips)}
    </td>
  );
}
