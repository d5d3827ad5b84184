import { Link } from 'react-router';
import { Icon } from '../components/icon.tsx';
import { deltaClass } from '../lib/format.ts';
import { formatChange } from '../table/chips.ts';
import { LineSample } from './chart.tsx';
import { finalRankings, type PlayerSeries } from './series.ts';

type LegendProps = { series: readonly PlayerSeries[]; hidden: ReadonlySet<number>; onToggle: (index: number) => void };

/** Shows a toggle per player that shows or hides its line. */
export function Legend({ series, hidden, onToggle }: LegendProps) {
  return (
    <section aria-label="PLAYER LEGEND">
      <h3 className="performance-heading">PLAYER LEGEND</h3>
      <ul className="legend">
        {series.map(({ name }, index) => (
          <li key={name}>
            <button type="button" aria-pressed={!hidden.has(index)} onClick={() => onToggle(index)}>
              <LineSample index={index} />
              <bdi className="wrap-name">{name}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Percent({ value }: { value: number }) {
  return (
    <span className={`ranking-percent mono-number ${deltaClass(value)}`}>
      {value !== 0 && <Icon name={value > 0 ? 'up' : 'down'} />}
      <span className="visually-hidden">{value < 0 ? 'down ' : 'up '}</span>
      {Math.abs(value).toFixed(2)}%
    </span>
  );
}

/** Ranks the players by their result, final or so far, with the percentage of their starting chips. */
export function Rankings({ series, running }: { series: readonly PlayerSeries[]; running: boolean }) {
  const title = running ? 'CURRENT STANDINGS' : 'FINAL RANKINGS';
  return (
    <section aria-label={title}>
      <h3 className="performance-heading">{title}</h3>
      <ol className="rankings">
        {finalRankings(series).map(({ rank, name, value, percent, index }) => (
          <li key={name}>
            <span className="ranking-rank">#{rank}</span>
            <LineSample index={index} />
            <Link to={`/profile/${encodeURIComponent(name)}`} className="wrap-name">
              <bdi>{name}</bdi>
            </Link>
            <span className={`mono-number ${deltaClass(value)}`}>{formatChange(value)}</span>
            <Percent value={percent} />
          </li>
        ))}
      </ol>
    </section>
  );
}
