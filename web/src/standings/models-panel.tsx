import { Fragment } from 'react';
import { Link } from 'react-router';
import { Name } from '../components/name.tsx';
import { Panel } from '../components/page.tsx';
import { type Column, Table } from '../components/table.tsx';
import { deltaClass } from '../lib/format.ts';
import { playerPath } from '../lib/matches.ts';
import type { EstimatorId, StandingsResponse } from '../lib/types.ts';
import { ESTIMATORS, formatPoints, type Unit } from './points.ts';

type Model = StandingsResponse['models'][number];
type Points = NonNullable<Model['estimates']['raw']>[Unit];
type Props = { models: readonly Model[]; estimator: EstimatorId; unit: Unit };

/** Groups the standings by the language models that wrote the bots, best first, with both of their intervals. */
export function ModelsPanel({ models, estimator, unit }: Props) {
  const pointsOf = ({ estimates }: Model) => estimates[estimator]?.[unit] ?? null;
  const mean = (model: Model) => pointsOf(model)?.mean ?? Number.NEGATIVE_INFINITY;
  const interval = (label: string, endsOf: (points: Points) => readonly (number | null)[]): Column<Model> => ({
    label,
    align: 'end',
    cell: (model) => {
      const points = pointsOf(model);
      const ends = points === null ? [null] : endsOf(points);
      const text = ends.map((end) => (end === null ? '—' : formatPoints(end, unit)));
      return <span className="mono-number">{[...new Set(text)].join(' to ')}</span>;
    },
  });
  const columns: Column<Model>[] = [
    {
      label: 'Model',
      cell: ({ name, version }) => (
        <span className="breakable">
          {name}
          {version !== null && <small className="points-interval">{version}</small>}
        </span>
      ),
    },
    {
      label: `${ESTIMATORS[estimator].label} points`,
      align: 'end',
      cell: (model) => {
        const points = pointsOf(model);
        if (points === null) return '—';
        return <b className={`mono-number ${deltaClass(points.mean)}`}>{formatPoints(points.mean, unit)}</b>;
      },
    },
    interval('95 %, between bots', (points) => [points.bots_low, points.bots_high]),
    interval('95 %, these bots', (points) => [points.hands_low, points.hands_high]),
    {
      label: 'Bots',
      cell: ({ usernames }) =>
        usernames.map((username, index) => (
          <Fragment key={username}>
            {index > 0 && ', '}
            <Link to={playerPath(username)}>
              <Name name={username} />
            </Link>
          </Fragment>
        )),
    },
  ];
  return (
    <Panel title="By model">
      <Table
        caption="Standings by model with nested 95 % intervals"
        columns={columns}
        rows={models.toSorted((a, b) => mean(b) - mean(a) || 0)}
        rowKey={({ name, version }) => JSON.stringify([name, version])}
      />
      <p className="standings-meaning">
        The mean of a model's bots. Between bots: the interval for all bots that the model would write; it needs two
        bots. These bots: the interval for the hands of these very bots alone.{' '}
        <Link to="/methodology#models-with-several-bots">How the intervals are computed</Link>
      </p>
    </Panel>
  );
}
