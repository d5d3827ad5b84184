import { useDeferredValue, useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/feedback.tsx';
import { ChoiceField } from '../components/form.tsx';
import { Panel, Stats } from '../components/page.tsx';
import { toast } from '../components/toasts.tsx';
import { formatNumber, formatTime } from '../lib/format.ts';
import type { EstimatorId, StandingsResponse } from '../lib/types.ts';
import { IntervalPlot } from './interval-plot.tsx';
import { PairPanel } from './pair-panel.tsx';
import {
  availableEstimators,
  chooseEstimator,
  ESTIMATORS,
  rankPlayers,
  SORTS,
  type Sort,
  sortPlayers,
  UNITS,
  type Unit,
} from './points.ts';
import { PointsTable } from './points-table.tsx';
import { saveIntervalPicture } from './standings-files.ts';
import './standings.css';

type Change = Partial<Record<'by' | 'unit' | 'sort' | 'a' | 'b', string>>;

/** Reads and changes the user's choices in the view, which are kept in the address. */
function useChoices() {
  const [search, setSearch] = useSearchParams();
  const change = (changes: Change) => {
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [key, value] of Object.entries(changes)) next.set(key, value);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  const choiceOr = <T extends string>(key: string, choices: Readonly<Record<T, unknown>>, otherwise: T): T => {
    const value = search.get(key) ?? '';
    return value in choices ? (value as T) : otherwise;
  };
  return {
    by: search.get('by'),
    unit: choiceOr<Unit>('unit', UNITS, 'chips'),
    sort: choiceOr<Sort>('sort', SORTS, 'points'),
    first: search.get('a'),
    second: search.get('b'),
    change,
  };
}

type Props = {
  standings: StandingsResponse;
  /** Part of the names of saved files: 'batch-7', '2025', 'all'. */
  name: string;
  onSaveCsv: () => void;
};

/** Shows points with intervals, ties, ratings and pairs. */
export function StandingsView({ standings, name, onSaveCsv }: Props) {
  const choices = useChoices();
  const { unit, sort, change } = choices;
  const { players, matches, hands, deals, progress, notes } = standings;
  const computing = standings.state === 'computing';
  const estimator = chooseEstimator(standings, choices.by);
  const estimators = availableEstimators(players);
  const ranked = useMemo(() => rankPlayers(players, estimator), [players, estimator]);
  const drawn = useDeferredValue({ players: ranked, estimator, unit });

  if (players.length === 0) {
    return computing ? (
      <Computing {...progress} />
    ) : (
      <EmptyState title="No standings yet" text="They appear after the first finished public match.">
        <Notes notes={notes} />
      </EmptyState>
    );
  }
  return (
    <>
      {computing && <Computing {...progress} />}
      <Stats
        items={[
          { label: 'Matches', value: formatNumber(matches), note: 'Finished matches that are counted.' },
          { label: 'Hands', value: formatNumber(hands), note: 'Hands played in these matches.' },
          ...(deals === 0
            ? []
            : [
                {
                  label: 'Deals',
                  value: formatNumber(deals),
                  note: 'Deals that were played once by every player in every seat.',
                },
              ]),
          { label: 'Players', value: formatNumber(players.length), note: 'Players of these matches.' },
        ]}
      />
      <Panel
        title="Points per 100 hands"
        actions={
          <>
            <Button
              small
              variant="ghost"
              aria-label="Save the plot as PNG"
              onClick={() =>
                void saveIntervalPicture({ players: ranked, estimator, unit }, name).catch(() =>
                  toast.error('Failed to export the plot.'),
                )
              }
            >
              PNG
            </Button>
            <Button small variant="ghost" aria-label="Save the standings as CSV" onClick={onSaveCsv}>
              CSV
            </Button>
          </>
        }
      >
        <div className="standings-choices">
          <ChoiceField<EstimatorId>
            label="Estimator"
            value={estimator}
            choices={
              Object.fromEntries(
                (estimators.length === 0 ? [estimator] : estimators).map((id) => [id, ESTIMATORS[id].label]),
              ) as Record<EstimatorId, string>
            }
            onChoose={(by) => change({ by })}
          />
          <ChoiceField label="Unit" value={unit} choices={UNITS} onChoose={(next) => change({ unit: next })} />
          <ChoiceField label="Sort by" value={sort} choices={SORTS} onChoose={(next) => change({ sort: next })} />
        </div>
        <p className="standings-meaning">
          {ESTIMATORS[estimator].meaning} The bar is the 95 % interval: of 100 such bars, at least 95 contain the true
          value. Players on one shaded band are tied: this data does not tell them apart when all pairs are compared at
          once.
        </p>
        <IntervalPlot {...drawn} />
        <Notes notes={notes} />
      </Panel>
      <Panel title="Standings with intervals" flush>
        <div className="points-table">
          <PointsTable
            players={sortPlayers(ranked, sort)}
            estimators={estimators}
            estimator={estimator}
            unit={unit}
            sort={sort}
            onEstimator={(by) => change({ by, sort: 'points' })}
            onSort={(next) => change({ sort: next })}
          />
        </div>
        <Meanings estimators={estimators} check={standings.rating_check} />
      </Panel>
      {players.length > 1 ? (
        <PairPanel standings={standings} first={choices.first} second={choices.second} onPair={change} name={name} />
      ) : (
        <p className="muted">One player alone cannot be compared with another one.</p>
      )}
      <p className="muted">
        Methodology version {standings.methodology_version}
        {standings.computed_at !== null && `, computed ${formatTime(standings.computed_at)}`}.{' '}
        <Link to="/methodology">How the numbers are computed</Link>
      </p>
    </>
  );
}

function Computing({ matches, of }: { matches: number; of: number }) {
  return (
    <div className="standings-computing" role="status">
      <p>
        Computing the standings: {formatNumber(matches)} of {formatNumber(of)} matches are done. This page updates
        automatically.
      </p>
      <progress aria-label="Matches computed" value={matches} max={Math.max(1, of)} />
    </div>
  );
}

function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className="standings-notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

/** Says how well ratings predict matches that they were not fitted to. */
function describeCheck({ pairs, expected, correct }: NonNullable<StandingsResponse['rating_check']>): string {
  const percent = (share: number) => `${Math.round(100 * share)}\u00a0%`;
  return `In matches that it was not fitted to it expects to order ${percent(expected)} of the pairs correctly, and ordered ${percent(correct)} of ${formatNumber(pairs)} so.`;
}

type MeaningsProps = { estimators: readonly EstimatorId[]; check: StandingsResponse['rating_check'] };

function Meanings({ estimators, check }: MeaningsProps) {
  return (
    <dl className="standings-meanings">
      <div>
        <dt>Rank</dt>
        <dd>Places that the data leave to the player: the ranges of all players hold together with 95 %.</dd>
      </div>
      {estimators.map((id) => (
        <div key={id}>
          <dt>{ESTIMATORS[id].label}</dt>
          <dd>{ESTIMATORS[id].meaning} Below it: its 95 % interval.</dd>
        </div>
      ))}
      <div>
        <dt>Rating</dt>
        <dd>
          Strength by the finishing order of all matches, with its 95 % interval: 1500 is the mean of all players, 400
          points more are ten times the strength.{check !== null && ` ${describeCheck(check)}`}
        </dd>
      </div>
      <div>
        <dt>Hands</dt>
        <dd>Hands in which the player held a seat.</dd>
      </div>
      <div>
        <dt>Matches</dt>
        <dd>Finished matches of the player.</dd>
      </div>
    </dl>
  );
}
