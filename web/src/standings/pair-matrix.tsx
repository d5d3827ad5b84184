import type { CSSProperties } from 'react';
import { Link } from 'react-router';
import { playerPath } from '../lib/paths.ts';
import type { Pairs } from '../lib/types.ts';
import { describePair, formatPercent, pairOf } from './pairs.ts';
import '../components/matrix.css';

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 2 });

/** Shows a heat map of all pairs as a table: the probability that the player of a row is better than that of a column. */
export function PairMatrix({ pairs, names }: { pairs: Pairs; names: readonly string[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="matrix-scroll" aria-label="All pairs" tabIndex={0}>
      <table className="matrix">
        <caption className="visually-hidden">
          Probability in percent that the player of a row is better than the player of a column
        </caption>
        <thead>
          <tr>
            <th scope="col">Player</th>
            {names.map((name, index) => (
              <th key={name} scope="col" title={name}>
                {index + 1} <span className="visually-hidden">{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((row, index) => (
            <tr key={row}>
              <th scope="row">
                {index + 1}{' '}
                <Link to={playerPath(row)} className="wrap-name">
                  <bdi>{row}</bdi>
                </Link>
              </th>
              {names.map((column) => (
                <Cell key={column} pairs={pairs} row={row} column={column} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ pairs, row, column }: { pairs: Pairs; row: string; column: string }) {
  const view = pairOf(pairs, row, column);
  if (row === column || view.better === null) {
    return (
      <td className="matrix-none">
        <span aria-hidden="true">·</span>
        <span className="visually-hidden">{row === column ? 'itself' : 'cannot be compared'}</span>
      </td>
    );
  }
  return (
    <td
      className={view.better < 0.5 ? 'matrix-lost' : 'matrix-won'}
      style={{ '--share': Math.abs(view.better - 0.5) * 2 } as CSSProperties}
      title={describePair(view, row, column)}
    >
      {view.needed === 0 ? <b>{formatPercent(view.better)}</b> : formatPercent(view.better)}
      {view.needed !== null && view.needed > 0 && (
        <small className="pair-needed">
          +{compact.format(view.needed)}
          <span className="visually-hidden"> hands needed</span>
        </small>
      )}
    </td>
  );
}
