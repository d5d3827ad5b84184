import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '../../../components/button.tsx';
import { EmptyState, ErrorBox, LoadError, Loading } from '../../../components/feedback.tsx';
import { TextField } from '../../../components/form.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Panel } from '../../../components/page.tsx';
import { toast } from '../../../components/toasts.tsx';
import { api } from '../../../lib/api.ts';
import { type ApiError, isApiError, messageOf } from '../../../lib/api-error.ts';
import { saveBlob } from '../../../lib/download.ts';
import { formatNumber } from '../../../lib/format.ts';
import { queryKeys } from '../../../lib/query-keys.ts';
import type { PlayStatistics } from '../../../lib/types.ts';
import { DecisionTimes } from './decision-times.tsx';
import { PositionTable, StreetTable } from './figure-tables.tsx';
import { LuckOverTime } from './luck-over-time.tsx';
import './statistics.css';
import { Name } from '../../../components/name.tsx';
import { figureOf, formatChances, formatFigure, type PlayerPlay, STATISTICS } from './play-figures.ts';

type Selection = { batch: string; versus: string };

/** Shows how a player's bot plays. The query parameters `versus` and `batch` compare it with another player and select a batch. */
export function Statistics({ username }: { username: string }) {
  const [search, setSearch] = useSearchParams();
  const selection = { batch: search.get('batch') ?? '', versus: search.get('versus') ?? '' };
  const select = ({ batch, versus }: Selection) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [key, value] of Object.entries({ batch, versus })) {
          if (value === '') next.delete(key);
          else next.set(key, value);
        }
        return next;
      },
      { preventScrollReset: true },
    );
  const statistics = useQuery({
    queryKey: [...queryKeys.player(username), 'statistics', selection.batch, selection.versus.toLowerCase()],
    queryFn: ({ signal }) =>
      api.get('/live/players/{username}/statistics', { params: { username }, query: selection, signal }),
  });
  return (
    <>
      <Panel title="Selection" actions={<SaveButton username={username} selection={selection} />}>
        <SelectionForm key={`${selection.batch} ${selection.versus}`} selection={selection} onSelect={select} />
        {statistics.data !== undefined && <Counted statistics={statistics.data} />}
      </Panel>
      {statistics.isPending && <Loading text="Loading statistics..." />}
      {statistics.isError &&
        (isApiError(statistics.error, 400, 404) ? (
          <ErrorBox text={refusalText(statistics.error, selection)} />
        ) : (
          <LoadError what="the statistics" query={statistics} />
        ))}
      {statistics.data !== undefined && <Figures statistics={statistics.data} />}
    </>
  );
}

/** Names the part of the selection that the server refused. */
export function refusalText(error: ApiError, { batch, versus }: Selection): string {
  if (error.reason === 'batch-not-found') return `There is no public batch ${batch}.`;
  return error.status === 404 ? `There is no player named ${versus}.` : messageOf(error);
}

function SaveButton({ username, selection }: { username: string; selection: Selection }) {
  const save = async () => {
    try {
      const query = selection;
      saveBlob(
        await api.blob('/live/players/{username}/statistics.csv', { params: { username }, query }),
        `statistics-${username}.csv`,
      );
    } catch (error) {
      toast.error(`Failed to download. ${messageOf(error)}`);
    }
  };
  return (
    <Button variant="secondary" small aria-label="Download statistics as CSV" onClick={() => void save()}>
      <Icon name="download" /> CSV
    </Button>
  );
}

function SelectionForm({ selection, onSelect }: { selection: Selection; onSelect: (next: Selection) => void }) {
  const [versus, setVersus] = useState(selection.versus);
  const [batch, setBatch] = useState(selection.batch);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSelect({ versus: versus.trim(), batch: batch.trim() });
  };
  return (
    <form className="play-form" onSubmit={submit}>
      <TextField
        label="Compare with the player"
        value={versus}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setVersus(event.target.value)}
      />
      <TextField
        label="Batch number"
        value={batch}
        maxLength={9}
        inputMode="numeric"
        autoComplete="off"
        onChange={(event) => setBatch(event.target.value)}
      />
      <Button type="submit" variant="secondary">
        Show
      </Button>
    </form>
  );
}

function Counted({ statistics }: { statistics: PlayStatistics }) {
  const { username, versus, batch_number: batch, matches, pending_matches: pending } = statistics;
  const [first] = statistics.players;
  const matchesText = `${formatNumber(matches)} ${matches === 1 ? 'match' : 'matches'}`;
  return (
    <p className="muted" role="status">
      Counted: {matchesText}
      {batch !== null && ` of batch #${batch}`}
      {versus !== null && ' in which both played'}, {formatNumber(first?.hands ?? 0)} hands dealt to{' '}
      <bdi>{username}</bdi>.{pending > 0 && ` ${formatNumber(pending)} more will be counted within minutes.`}
      {statistics.includes_private &&
        ' Private matches are included, so others may see other numbers. Test runs are left out.'}{' '}
      {statistics.deletions_note && `${statistics.deletions_note} `}A figure that rests on fewer than 20 opportunities
      is shown as —.
    </p>
  );
}

function Figures({ statistics }: { statistics: PlayStatistics }) {
  const { players, matches, username, versus } = statistics;
  if (matches === 0) {
    return (
      <EmptyState
        title="No match to count"
        text={
          versus === null
            ? 'Statistics appear when a match of this player has finished.'
            : `${username} and ${versus} have not met in a finished match of this selection.`
        }
      />
    );
  }
  const fileName = players.map((player) => player.username).join('-');
  return (
    <>
      <Panel title="How the bot plays">
        <KeyFigures players={players} />
      </Panel>
      <LuckOverTime players={players} fileName={fileName} />
      {players.map((player) => (
        <PositionTable key={player.username} player={player} />
      ))}
      <div className={players.length > 1 ? 'columns' : ''}>
        {players.map((player) => (
          <StreetTable key={player.username} player={player} />
        ))}
      </div>
      <DecisionTimes players={players} fileName={fileName} />
    </>
  );
}

/** Shows every statistic with its value for each player, the number of opportunities and its meaning. */
export function KeyFigures({ players }: { players: readonly PlayerPlay[] }) {
  return (
    <dl className="play-figures">
      {STATISTICS.map((statistic) => (
        <div key={statistic.id} className="play-figure">
          <dt>{statistic.label}</dt>
          {players.map((player) => {
            const figure = figureOf(player, statistic.id);
            return (
              <dd key={player.username} className="play-value">
                {players.length > 1 && (
                  <span className="play-name">
                    <Name name={player.username} />
                  </span>
                )}
                <b className="mono-number">{formatFigure(figure, statistic.kind)}</b>
                <small className="muted">{formatChances(figure, statistic)}</small>
              </dd>
            );
          })}
          <dd className="play-meaning">{statistic.meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
