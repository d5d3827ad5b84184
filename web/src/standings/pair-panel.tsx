import { Button } from '../components/button.tsx';
import { SelectField } from '../components/form.tsx';
import { Name } from '../components/name.tsx';
import { Panel } from '../components/page.tsx';
import { Table } from '../components/table.tsx';
import { toast } from '../components/toasts.tsx';
import { formatNumber } from '../lib/format.ts';
import type { StandingsResponse } from '../lib/types.ts';
import { describePair, PairMatrix, pairOf } from './pair-matrix.tsx';
import { ESTIMATORS, formatPoints, rankPlayers } from './points.ts';
import { saveHeatMapPicture, savePairsCsv } from './standings-files.ts';

type Props = {
  standings: StandingsResponse;
  /** The chosen players; null for the best two. */
  first: string | null;
  second: string | null;
  onPair: (pair: { a?: string; b?: string }) => void;
  /** Part of the names of saved files. */
  name: string;
};

/** Says which of two players is better, and shows the matrix of all pairs. For at least two players. */
export function PairPanel({ standings, first, second, onPair, name }: Props) {
  const { pairs } = standings;
  const names = rankPlayers(standings.players, pairs.estimator)
    .map(({ username }) => username)
    .filter((username) => pairs.usernames.includes(username));
  const a = names.find((username) => username === first) ?? names.find((username) => username !== second) ?? '';
  const b = names.find((username) => username === second && username !== a) ?? names.find((other) => other !== a) ?? '';
  const ordered = orderPairs(pairs, names);
  return (
    <Panel
      title="Who is better?"
      actions={
        <>
          <Button
            small
            variant="ghost"
            aria-label="Save the pairs as PNG"
            onClick={() =>
              void saveHeatMapPicture(ordered, name).catch(() => toast.error('Failed to export the pairs.'))
            }
          >
            PNG
          </Button>
          <Button small variant="ghost" aria-label="Save the pairs as CSV" onClick={() => savePairsCsv(ordered, name)}>
            CSV
          </Button>
        </>
      }
    >
      <div className="pair-choice">
        <PlayerSelect
          label="First player"
          value={a}
          names={names}
          onChoose={(next) => onPair({ a: next, b: next === b ? a : b })}
        />
        <PlayerSelect
          label="Second player"
          value={b}
          names={names}
          onChoose={(next) => onPair({ a: next === a ? b : a, b: next })}
        />
      </div>
      <p className="pair-answer" role="status">
        {describePair(pairOf(pairs, a, b), a, b)}
      </p>
      <p className="muted">
        By {ESTIMATORS[pairs.estimator].label.toLowerCase()} points. Below, each cell is the probability in percent that
        the player of the row is better than the player of the column. Bold: told apart, by the same test as the ranks,
        which compares all pairs at once. A small number: hands that each of the two still has to play to be told apart.
      </p>
      <PairMatrix pairs={pairs} names={names} />
      <HeadsUpTable rows={standings.heads_up} />
    </Panel>
  );
}

/** Lists the results at tables of two; nothing without any. */
function HeadsUpTable({ rows }: { rows: StandingsResponse['heads_up'] }) {
  if (rows.length === 0) return null;
  return (
    <Table
      caption="Heads-up: chips per 100 hands at tables of two"
      columns={[
        { label: 'Player', cell: ({ username }) => <Name name={username} /> },
        { label: 'Opponent', cell: ({ opponent }) => <Name name={opponent} /> },
        { label: 'Hands', align: 'end', cell: ({ hands }) => formatNumber(hands) },
        {
          label: 'Points',
          align: 'end',
          cell: ({ chips_per_100: chips, low, high }) => (
            <span className="mono-number">
              {formatPoints(chips, 'chips')}
              <small className="points-interval">
                {low === null || high === null
                  ? 'too few matches for an interval'
                  : `${formatPoints(low, 'chips')} to ${formatPoints(high, 'chips')}`}
              </small>
            </span>
          ),
        },
      ]}
      rows={rows}
      rowKey={({ username, opponent }) => JSON.stringify([username, opponent])}
    />
  );
}

/** Returns the matrix with its rows and columns in another order. */
function orderPairs(pairs: StandingsResponse['pairs'], names: string[]): StandingsResponse['pairs'] {
  const view = (row: string, column: string) => pairOf(pairs, row, column);
  return {
    ...pairs,
    usernames: names,
    better: names.map((row) => names.map((column) => view(row, column).better)),
    hands_needed: names.map((row) => names.map((column) => view(row, column).needed)),
  };
}

type SelectProps = {
  label: string;
  value: string;
  names: readonly string[];
  onChoose: (name: string) => void;
};

function PlayerSelect({ label, value, names, onChoose }: SelectProps) {
  return (
    <SelectField label={label} value={value} onChange={(event) => onChoose(event.target.value)}>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
