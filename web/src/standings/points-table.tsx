import { Link } from 'react-router';
import { Icon } from '../components/icon.tsx';
import { type Column, Table } from '../components/table.tsx';
import { deltaClass, formatNumber } from '../lib/format.ts';
import { playerPath } from '../lib/matches.ts';
import type { Estimate, EstimatorId } from '../lib/types.ts';
import { describeTies, ESTIMATORS, formatPoints, inUnit, type RankedPlayer, type Sort, type Unit } from './points.ts';

type Props = {
  players: readonly RankedPlayer[];
  /** Estimators with a column. */
  estimators: readonly EstimatorId[];
  estimator: EstimatorId;
  unit: Unit;
  sort: Sort;
  onEstimator: (estimator: EstimatorId) => void;
  onSort: (sort: Sort) => void;
};

/** Lists players with their points by each estimator. A column's head sorts by it; that of an estimator also selects the estimator. */
export function PointsTable({ players, estimators, estimator, unit, sort, onEstimator, onSort }: Props) {
  const head = (label: string, active: boolean, onClick: () => void) => (
    <button type="button" className="sort-button" onClick={onClick}>
      {label}
      {active && <Icon name="down" />}
    </button>
  );
  const sortable = (label: string, by: Sort): Pick<Column<RankedPlayer>, 'label' | 'head' | 'sort'> => ({
    label,
    head: head(label, sort === by, () => onSort(by)),
    sort: sort !== by ? 'none' : by === 'name' ? 'ascending' : 'descending',
  });
  const columns: Column<RankedPlayer>[] = [
    { label: 'Rank', cell: ({ rank }) => (rank === null ? '—' : <span className="points-rank">#{rank}</span>) },
    {
      ...sortable('Player', 'name'),
      cell: ({ username, tiedWith }) => (
        <>
          <Link to={playerPath(username)} className="wrap-name">
            <bdi>{username}</bdi>
          </Link>
          {tiedWith.length > 0 && (
            <small className="points-tied" title={tiedWith.join(', ')}>
              {describeTies(tiedWith)}
            </small>
          )}
        </>
      ),
    },
    ...estimators.map((id): Column<RankedPlayer> => {
      const active = sort === 'points' && id === estimator;
      return {
        label: ESTIMATORS[id].label,
        head: head(ESTIMATORS[id].label, active, () => onEstimator(id)),
        sort: active ? 'descending' : 'none',
        align: 'end',
        cell: ({ estimates }) => <Points estimate={estimates[id]} unit={unit} />,
      };
    }),
    {
      ...sortable('Rating', 'rating'),
      align: 'end',
      cell: ({ rating }) =>
        rating === null ? (
          '—'
        ) : (
          <span className="mono-number">
            {formatNumber(Math.round(rating.value))}
            <small className="points-interval">
              {formatNumber(Math.round(rating.low))} to {formatNumber(Math.round(rating.high))}
            </small>
          </span>
        ),
    },
    { ...sortable('Hands', 'hands'), align: 'end', cell: ({ hands }) => formatNumber(hands) },
    { label: 'Matches', align: 'end', cell: ({ matches }) => formatNumber(matches) },
  ];
  return (
    <Table
      caption={`Standings with 95 % intervals, ${ESTIMATORS[estimator].label.toLowerCase()} points first`}
      columns={columns}
      rows={[...players]}
      rowKey={({ username }) => username}
    />
  );
}

function Points({ estimate, unit }: { estimate: Estimate | null; unit: Unit }) {
  if (estimate === null) return '—';
  const { value, low, high } = inUnit(estimate, unit);
  return (
    <span className="mono-number">
      <b className={deltaClass(value)}>{formatPoints(value, unit)}</b>
      <small className="points-interval">
        {formatPoints(low, unit)} to {formatPoints(high, unit)}
      </small>
    </span>
  );
}
