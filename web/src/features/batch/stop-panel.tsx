import { Panel } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { deltaClass, formatNumber, formatTime } from '../../lib/format.ts';
import type { BatchStop } from '../../lib/types.ts';
import './batch.css';
import { Name } from '../../components/name.tsx';

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
  { label: 'First player', cell: ({ users }) => <Name name={users[0] ?? ''} /> },
  { label: 'Second player', cell: ({ users }) => <Name name={users[1] ?? ''} /> },
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
  { label: 'Player', cell: ({ username }) => <Name name={username} /> },
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

type Step = NonNullable<BatchStop['pairs']>[number]['course'][number];

export type CourseFigure = {
  /** Path of the interval's area, from the first table at which it is bounded. */
  band: string;
  mean: string;
  /** Height of the line at 0. */
  zero: number;
  top: number;
  bottom: number;
};

/** Returns the drawing of a course in a box of `width` by `height`: tables from left to right, differences from bottom to top. */
export function courseFigure(course: readonly Step[], width: number, height: number): CourseFigure {
  const bounded = course.filter((step) => step.low !== null && step.high !== null);
  // The first intervals are far wider than the rest and would flatten it.
  const readable = bounded.slice(Math.floor(bounded.length / 4));
  const values = [
    0,
    ...course.map((step) => step.mean),
    ...readable.flatMap((step) => [step.low ?? 0, step.high ?? 0]),
  ];
  const lowest = Math.min(...values);
  const highest = Math.max(...values);
  const span = highest - lowest || 1;
  const last = course.at(-1)?.tables ?? 1;
  const first = course[0]?.tables ?? 1;
  const x = (tables: number) => (last === first ? width / 2 : ((tables - first) / (last - first)) * width);
  const y = (value: number) => height - ((Math.min(highest, Math.max(lowest, value)) - lowest) / span) * height;
  const point = (step: Step, value: number) => `${x(step.tables).toFixed(1)} ${y(value).toFixed(1)}`;
  const upper = bounded.map((step) => point(step, step.high ?? 0));
  const lower = bounded.map((step) => point(step, step.low ?? 0)).reverse();
  return {
    band: bounded.length < 2 ? '' : `M${[...upper, ...lower].join('L')}Z`,
    mean: course.length < 2 ? '' : `M${course.map((step) => point(step, step.mean)).join('L')}`,
    zero: y(0),
    top: highest,
    bottom: lowest,
  };
}

const DECISIONS = {
  better: 'The first is better',
  worse: 'The second is better',
  equivalent: 'No difference above the margin',
  continue: 'Not decided',
} as const;

const decisionText = (decision: keyof typeof DECISIONS): string => DECISIONS[decision];

/** Returns the rule as a sentence. */
export function ruleSentence({ users, alpha, margin, outdated, stopped_at }: BatchStop): string {
  if (outdated) {
    const idle = stopped_at === null ? ' It does not end the batch any more.' : '';
    return `This rule is of an earlier version, whose error rate did not hold.${idle}`;
  }
  const who = users === null ? 'all pairs of players' : users.join(' and ');
  const equal = margin === null ? '' : ` Differences below ${margin} chips per 100 hands count as equal.`;
  return `The batch ends when the results tell ${who} apart, with at most ${Number((alpha * 100).toPrecision(6))} % probability of a false decision.${equal} The rule was fixed before the first match.`;
}
