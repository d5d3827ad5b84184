import { Link } from 'react-router';
import { BotResult } from '../components/bot-faults.tsx';
import { Icon } from '../components/icon.tsx';
import { deltaClass } from '../lib/format.ts';
import type { JobFaults } from '../lib/types.ts';
import { formatChange } from '../table/chips.ts';
import { LineSample } from './chart.tsx';
import { finalRankings, type PlayerSeries } from './series.ts';
import './performance.css';
import { Name } from '../components/name.tsx';

type LegendProps = { series: readonly PlayerSeries[]; hidden: ReadonlySet<number>; onToggle: (index: number) => void };

/** Shows a toggle per player that shows or hides its line. */
export function Legend({ series, hidden, onToggle }: LegendProps) {
  return (
    <section aria-label="PLAYER LEGEND">
      <h3 className="performance-heading">PLAYER LEGEND</h3>
      <ul className="legend">
        {series.map(({ name }, index) => (
          <li key={name}>
            <button
              type="button"
              className="name-whole"
              aria-pressed={!hidden.has(index)}
              onClick={() => onToggle(index)}
            >
              <LineSample index={index} />
              <Name name={name} />
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

type RankingsProps = { series: readonly PlayerSeries[]; found: JobFaults };

/** Ranks the players by their final result, with the percentage of their starting chips. */
export function Rankings({ series, found }: RankingsProps) {
  return (
    <section aria-label="FINAL RANKINGS">
      <h3 className="performance-heading">FINAL RANKINGS</h3>
      <ol className="rankings">
        {finalRankings(series).map(({ rank, name, value, percent, index }) => (
          <li key={name}>
            <span className="ranking-rank">#{rank}</span>
            <LineSample index={index} />
            <Link to={`/profile/${encodeURIComponent(name)}`}>
              <Name name={name} />
            </Link>
            <b>
              <BotResult username={name} delta={value} format={formatChange} {...found} />
            </b>
            {!found.no_contest && <Percent value={percent} />}
          </li>
        ))}
      </ol>
    </section>
  );
}
