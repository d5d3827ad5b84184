import { Link } from 'react-router';
import { Icon } from '../components/icon.tsx';
import { Name } from '../components/name.tsx';
import { type Column, Table } from '../components/table.tsx';
import { deltaClass, formatNumber } from '../lib/format.ts';
import { playerPath } from '../lib/matches.ts';
import type { Estimate, EstimatorId } from '../lib/types.ts';
import { ESTIMATORS, formatPoints, inUnit, type RankedPlayer, type Sort, type Unit } from './points.ts';

type Props = {
  players: readonly RankedPlayer[];
  /** Estimators with a column: that of the ranks, or all. */
  estimators: readonly EstimatorId[];
  /** The estimator of the ranks. */
  estimator: EstimatorId;
  withRating: boolean;
  /** Follows a sentence about ties: ' by raw points', unless the pairs are by the same. */
  tiesBy: string;
  unit: Unit;
  sort: Sort;
  onSort: (sort: Sort) => void;
};

/** Lists players with their range of ranks and their points with intervals. */
export function PointsTable({ players, estimators, estimator, withRating, tiesBy, unit, sort, onSort }: Props) {
  const sortable = (label: string, by: Sort): Pick<Column<RankedPlayer>, 'label' | 'head' | 'sort'> => ({
    label,
    head: (
      <button type="button" className="sort-button" onClick={() => onSort(by)}>
        {label}
        {sort === by && <Icon name="down" />}
      </button>
    ),
    sort: sort !== by ? 'none' : by === 'name' ? 'ascending' : 'descending',
  });
  const columns: Column<RankedPlayer>[] = [
    { label: 'Rank', cell: ({ rank }) => (rank === null ? '—' : <span className="points-rank">#{rank}</span>) },
    {
      ...sortable('Player', 'name'),
      cell: ({ username, tiedWith }) => (
        <>
          <Link to={playerPath(username)}>
            <Name name={username} />
          </Link>
          <Ties names={tiedWith} by={tiesBy} />
        </>
      ),
    },
    ...estimators.map(
      (id): Column<RankedPlayer> => ({
        ...(id === estimator ? sortable(`${ESTIMATORS[id].label} points`, 'points') : { label: ESTIMATORS[id].label }),
        align: 'end',
        cell: ({ estimates }) => <Points estimate={estimates[id]} unit={unit} />,
      }),
    ),
    ...(withRating ? [{ ...sortable('Rating', 'rating'), align: 'end' as const, cell: ratingOf }] : []),
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

/** Names the players that the data cannot tell apart from this one; counts more than two. */
function Ties({ names, by }: { names: readonly string[]; by: string }) {
  const [first, second] = names;
  if (first === undefined) return null;
  return (
    <small className="points-tied" title={names.join(', ')}>
      not distinguishable from{' '}
      {names.length > 2 ? (
        `${names.length} others`
      ) : (
        <>
          <Name name={first} />
          {second !== undefined && (
            <>
              {' and '}
              <Name name={second} />
            </>
          )}
        </>
      )}
      {by}
    </small>
  );
}

function ratingOf({ rating }: RankedPlayer) {
  if (rating === null) return '—';
  return (
    <span className="mono-number">
      {formatNumber(Math.round(rating.value))}
      <small className="points-interval">
        {formatNumber(Math.round(rating.low))} to {formatNumber(Math.round(rating.high))}
      </small>
    </span>
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
