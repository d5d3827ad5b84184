import { useDeferredValue, useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/feedback.tsx';
import { ChoiceField } from '../components/form.tsx';
import { Panel } from '../components/page.tsx';
import { toast } from '../components/toasts.tsx';
import { formatNumber, formatTime } from '../lib/format.ts';
import type { EstimatorId, StandingsResponse } from '../lib/types.ts';
import { IntervalPlot } from './interval-plot.tsx';
import { ModelsPanel } from './models-panel.tsx';
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

/** The choice of the control that shows the columns of all estimators. */
const ALL = 'all';

/** Says what was counted; the same sentence for every scope. */
function countText({ matches, hands, deals }: Pick<StandingsResponse, 'matches' | 'hands' | 'deals'>): string {
  const dealt = deals === 0 ? '' : `, ${formatNumber(deals)} deals of them played once by every player in every seat`;
  return `Counted: ${formatNumber(matches)} finished ${matches === 1 ? 'match' : 'matches'} with ${formatNumber(hands)} hands${dealt}.`;
}

/** Shows points with intervals, ties and pairs; the other estimators on request. */
export function StandingsView({ standings, name, onSaveCsv }: Props) {
  const choices = useChoices();
  const { unit, sort, change } = choices;
  const { players, models = [], matches, hands, deals, progress, notes } = standings;
  const computing = standings.state === 'computing';
  const estimator = chooseEstimator(standings, choices.by);
  const available = availableEstimators(players);
  const all = choices.by === ALL;
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
      <Panel
        title="Standings"
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
        <PointsTable
          players={sortPlayers(ranked, sort)}
          estimators={all ? available : [estimator]}
          estimator={estimator}
          tiesBy={
            estimator === standings.pairs.estimator ? '' : ` by ${ESTIMATORS[estimator].label.toLowerCase()} points`
          }
          withRating={all || sort === 'rating'}
          unit={unit}
          sort={sort}
          onSort={(next) => change({ sort: next })}
        />
        <p className="standings-meaning">
          {ESTIMATORS[estimator].meaning} Below the points: the 95 % interval; of 100 such intervals, at least 95
          contain the true value. The rank is the range of places that the data leave to the player, all pairs compared
          at once. {countText({ matches, hands, deals })}
        </p>
        <div className="standings-choices">
          <ChoiceField<string>
            label="Estimator"
            value={all ? ALL : estimator}
            choices={{
              ...Object.fromEntries(
                (available.length === 0 ? [estimator] : available).map((id) => [id, ESTIMATORS[id].label]),
              ),
              [ALL]: 'All, with the rating',
            }}
            onChoose={(by) => change({ by })}
          />
          <ChoiceField label="Unit" value={unit} choices={UNITS} onChoose={(next) => change({ unit: next })} />
          <ChoiceField label="Sort by" value={sort} choices={SORTS} onChoose={(next) => change({ sort: next })} />
        </div>
        <IntervalPlot {...drawn} />
        <Notes notes={notes} />
        <details className="standings-meanings">
          <summary>What each column means</summary>
          <Meanings estimators={available} check={standings.rating_check} />
        </details>
      </Panel>
      {models.length > 0 && <ModelsPanel models={models} estimator={estimator} unit={unit} />}
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
    <dl>
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
        <dd>Hands that were played at the player's tables, to the last one of each match.</dd>
      </div>
      <div>
        <dt>Matches</dt>
        <dd>Finished matches of the player.</dd>
      </div>
    </dl>
  );
}
