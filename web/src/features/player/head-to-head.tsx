import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Button } from '../../components/button.tsx';
import { ErrorBox, LoadError, Loading } from '../../components/feedback.tsx';
import { TextField } from '../../components/form.tsx';
import { Panel, Stats } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { isApiError, messageOf } from '../../lib/api-error.ts';
import { deltaClass, formatDelta, formatNumber } from '../../lib/format.ts';
import { playerPath } from '../../lib/matches.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { HeadToHead } from '../../lib/types.ts';
import { ResultsGraph } from '../../performance/results-graph.tsx';

/** Compares a player with another one, whose name is the query parameter `versus`. */
export function HeadToHeadPanel({ username }: { username: string }) {
  const [search, setSearch] = useSearchParams();
  const other = search.get('versus') ?? '';
  const [name, setName] = useState(other);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const next = name.trim();
    setSearch(next === '' ? {} : { versus: next }, { preventScrollReset: true });
  };
  return (
    <Panel title="Compare with another player" id="compare">
      <form className="versus-form" onSubmit={submit}>
        <TextField
          label="Username of the other player"
          value={name}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" variant="secondary">
          Compare
        </Button>
      </form>
      {other !== '' && <Comparison username={username} other={other} />}
    </Panel>
  );
}

function Comparison({ username, other }: { username: string; other: string }) {
  const versus = useQuery({
    queryKey: [...queryKeys.player(username), 'versus', other.toLowerCase()],
    queryFn: ({ signal }) => api.get('/players/{username}/versus/{other}', { params: { username, other }, signal }),
    placeholderData: undefined,
  });
  if (versus.isPending) return <Loading inline text="Loading comparison..." />;
  if (versus.isError) {
    if (isApiError(versus.error, 404)) return <ErrorBox text={`There is no player named ${other}.`} />;
    if (isApiError(versus.error, 400)) return <ErrorBox text={messageOf(versus.error)} />;
    return <LoadError what="the comparison" query={versus} />;
  }
  return <ComparisonView versus={versus.data} />;
}

function ComparisonView({ versus }: { versus: HeadToHead }) {
  const { standings, matches, hands, points } = versus;
  const own = standings.find((row) => row.username === versus.username);
  const rival = standings.find((row) => row.username === versus.other);
  if (matches === 0 || own === undefined || rival === undefined) {
    return (
      <p className="muted" role="status">
        {versus.username} and {versus.other} have not met in a finished public match.
      </p>
    );
  }
  const at = standings.indexOf(rival);
  const won = own.won_from[at] ?? 0;
  const [ahead, behind] = [own.ahead[at] ?? 0, rival.ahead[standings.indexOf(own)] ?? 0];
  return (
    <div className="versus" role="status">
      {versus.deletions_note && <p className="muted">{versus.deletions_note}</p>}
      <p>
        <bdi>{versus.username}</bdi> {won < 0 ? 'lost' : 'won'} <b className={deltaClass(won)}>{formatDelta(won)}</b>{' '}
        {won < 0 ? 'to' : 'from'}{' '}
        <Link to={playerPath(versus.other)}>
          <bdi>{versus.other}</bdi>
        </Link>{' '}
        in {formatNumber(matches)} shared {matches === 1 ? 'match' : 'matches'} of {formatNumber(hands)} hands. The loss
        of every loser of a match is split among its winners in proportion to their wins.
      </p>
      <Stats
        items={[
          { label: `${versus.username} ended ahead`, value: formatNumber(ahead) },
          { label: `${versus.other} ended ahead`, value: formatNumber(behind) },
          { label: 'Level', value: formatNumber(matches - ahead - behind) },
        ]}
      />
      <p>
        <Link to={`/games?${new URLSearchParams({ player: versus.username, q: versus.other })}`}>
          List of the shared matches
        </Link>
      </p>
      <ResultsGraph points={points} lines={standings.map((row) => ({ name: row.username, values: row.curve }))} />
    </div>
  );
}
