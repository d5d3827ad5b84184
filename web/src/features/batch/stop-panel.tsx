import { Panel } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { deltaClass, formatNumber, formatTime } from '../../lib/format.ts';
import type { BatchStop } from '../../lib/types.ts';
import { courseFigure, decisionText, ruleSentence } from './stop-course.ts';
import './stop-panel.css';

const WIDTH = 600;
const HEIGHT = 160;

type Pair = NonNullable<BatchStop['pairs']>[number];
type Player = NonNullable<BatchStop['players']>[number];
type Unit = 'deal sets' | 'matches';

const chips = (value: number) => `${value > 0 ? '+' : ''}${formatNumber(Math.round(value * 10) / 10)}`;

function intervalOf({ course }: Pair): string {
  const last = course.at(-1);
  return last === undefined || last.low === null || last.high === null
    ? 'not bounded yet'
    : `${chips(last.low)} to ${chips(last.high)}`;
}

/** Shows the stopping rule of a batch with the course of its test. */
export function StopPanel({ stop, mode }: { stop: BatchStop; mode: 'classic' | 'duplicate' }) {
  const unit: Unit = mode === 'duplicate' ? 'deal sets' : 'matches';
  const single = stop.users !== null ? stop.pairs?.[0] : undefined;
  return (
    <Panel title="Stopping rule">
      <div className="stack">
        <p>{ruleSentence(stop)}</p>
        {stop.stopped_at !== null && <p>The rule ended the batch on {formatTime(stop.stopped_at)}.</p>}
        {stop.pairs === null ? (
          !stop.outdated && (
            <p className="muted">The course of the test is not shown, since not all of its results are public.</p>
          )
        ) : (
          <>
            {single !== undefined && single.course.length > 1 && <Course pair={single} unit={unit} />}
            <Table
              caption="Pairs of the stopping rule"
              columns={columnsOf(unit)}
              rows={stop.pairs}
              rowKey={({ users }) => users.join(' ')}
            />
            <Table
              caption="Players of the stopping rule"
              columns={playerColumnsOf(unit)}
              rows={stop.players ?? []}
              rowKey={({ username }) => username}
            />
            <p className="muted">
              Chips per 100 hands. The intervals of all players hold together after every{' '}
              {unit === 'deal sets' ? 'deal set' : 'match'}, so it does not matter when they are read. Two players are
              told apart when their intervals do not overlap.
            </p>
          </>
        )}
      </div>
    </Panel>
  );
}

const columnsOf = (unit: Unit): Column<Pair>[] => [
  { label: 'First player', cell: ({ users }) => <bdi className="wrap-name">{users[0]}</bdi> },
  { label: 'Second player', cell: ({ users }) => <bdi className="wrap-name">{users[1]}</bdi> },
  {
    label: unit === 'deal sets' ? 'Deal sets' : 'Matches',
    align: 'end',
    cell: ({ course }) => formatNumber(course.at(-1)?.tables ?? 0),
  },
  {
    label: 'Difference per 100 hands',
    align: 'end',
    cell: ({ course }) => {
      const mean = course.at(-1)?.mean ?? 0;
      return <span className={`mono-number ${deltaClass(mean)}`}>{chips(mean)}</span>;
    },
  },
  { label: 'Interval', align: 'end', cell: intervalOf },
  { label: 'Decision', cell: ({ course }) => decisionText(course.at(-1)?.decision ?? 'continue') },
];

const playerColumnsOf = (unit: Unit): Column<Player>[] => [
  { label: 'Player', cell: ({ username }) => <bdi className="wrap-name">{username}</bdi> },
  {
    label: unit === 'deal sets' ? 'Deal sets' : 'Matches',
    align: 'end',
    cell: ({ tables }) => formatNumber(tables),
  },
  {
    label: 'Per 100 hands',
    align: 'end',
    cell: ({ mean }) => <span className={`mono-number ${deltaClass(mean)}`}>{chips(mean)}</span>,
  },
  { label: 'Interval', align: 'end', cell: ({ low, high }) => `${chips(low)} to ${chips(high)}` },
];

function Course({ pair, unit }: { pair: Pair; unit: Unit }) {
  const { band, mean, zero, top, bottom } = courseFigure(pair.course, WIDTH, HEIGHT);
  const [first = '', second = ''] = pair.users;
  const tables = pair.course.at(-1)?.tables ?? 0;
  return (
    <figure className="stop-course">
      <figcaption className="muted">
        What {first} won more than {second}, in chips per 100 hands, over {formatNumber(tables)} {unit}: mean and
        interval, from {chips(bottom)} to {chips(top)}. The test decides when the interval leaves the line at 0.
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Course of the test over ${formatNumber(tables)} ${unit}; interval at the end ${intervalOf(pair)}`}
      >
        {band !== '' && <path className="stop-band" d={band} />}
        <path className="stop-zero" d={`M0 ${zero.toFixed(1)}H${WIDTH}`} />
        <path className="stop-mean" d={mean} />
      </svg>
    </figure>
  );
}
