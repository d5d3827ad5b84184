import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'react-router';
import { Badge } from '../../components/badge.tsx';
import { Downloads } from '../../components/downloads.tsx';
import { QueryState } from '../../components/feedback.tsx';
import { BackLink, Page, Panel, Stats } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { TellingHand } from '../../components/telling-hand.tsx';
import { formatRating, IntervalBar, scaleOf } from '../../ladder/figures.tsx';
import { api } from '../../lib/api.ts';
import { deltaClass, formatDelta, formatNumber, formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { Tournament } from '../../lib/types.ts';
import { useSession } from '../../session/session.ts';
import { spanText, stateColor, stateWord } from './states.ts';
import { TournamentActions } from './tournament-actions.tsx';
import { Entrants, HowItWasRun } from './tournament-facts.tsx';
import { TournamentForm } from './tournament-form.tsx';
import './tournament.css';

type Stage = Tournament['stages'][number];
type Standing = Stage['standings'][number];

const POLL_PLAYING_MS = 3000;
const POLL_WAITING_MS = 15_000;

/** Shows /tournaments/{slug}: countdown, entrants, stages with standings and cut lines, champion. */
export function TournamentPage() {
  const { slug = '' } = useParams();
  const { user } = useSession();
  const [form, setForm] = useState<'none' | 'edit' | 'copy'>('none');
  const query = useQuery({
    queryKey: queryKeys.tournament(slug),
    queryFn: ({ signal }) => api.get('/tournaments/{slug}', { params: { slug }, signal }),
    refetchInterval: ({ state: { data } }) => {
      if (data?.state === 'finished' && data.ceremony) return POLL_PLAYING_MS;
      if (data?.state === 'finished' || data?.state === 'cancelled') return false;
      return data?.state === 'open' ? POLL_WAITING_MS : POLL_PLAYING_MS;
    },
  });
  const { data } = query;
  const final = data?.stages.at(-1);
  return (
    <Page
      title={data?.name ?? 'Tournament'}
      width="wide"
      before={<BackLink to="/tournaments">All tournaments</BackLink>}
      {...(data?.description ? { lead: data.description } : {})}
      actions={user?.admin && data && <TournamentActions tournament={data} onForm={setForm} />}
    >
      <QueryState what="the tournament" query={query} />
      {data && form !== 'none' && (
        <Panel title={form === 'edit' ? 'Change the tournament' : 'New tournament'}>
          <TournamentForm
            key={form}
            {...(form === 'edit' ? { of: data } : { copy: data })}
            onCancel={() => setForm('none')}
          />
        </Panel>
      )}
      {data && <Summary tournament={data} />}
      {stagesOf(data).map((stage) => (
        <StagePanel key={stage.name} stage={stage} me={user?.username} />
      ))}
      {final && final.state === 'finished' && final.batch_number !== null && !final.hidden && (
        <Downloads of={{ batch: final.batch_number }} title={`Download and cite: ${final.name}`} />
      )}
      {data && <Entrants tournament={data} />}
      {data?.record && <HowItWasRun tournament={data} record={data.record} />}
    </Page>
  );
}

/** Before the start in the order of play, then the newest first. */
function stagesOf(tournament: Tournament | undefined): Stage[] {
  const { state, stages = [] } = tournament ?? {};
  return state === 'open' || state === 'frozen' ? stages : stages.toReversed();
}

function Summary({ tournament }: { tournament: Tournament }) {
  const { state, champion, entry_deadline: deadline, starts_at: start, problem, prize, overlaps } = tournament;
  const { expected_seconds: expected } = tournament;
  const matches = tournament.stages.reduce((sum, stage) => sum + stage.matches, 0);
  return (
    <Panel title="At a glance" actions={<Badge color={stateColor[state]}>{stateWord[state]}</Badge>}>
      <div className="stack">
        {champion !== null && (
          <p className="tournament-champion">
            Champion: <Link to={`/players/${champion}`}>{champion}</Link>{' '}
            <a className="tournament-certificate" href={`/og/tournament/${tournament.slug}.png`} download>
              Certificate (PNG)
            </a>
          </p>
        )}
        {state === 'finished' && champion === null && (
          <p>
            {tournament.stages.at(-1)?.hidden ? 'The places are being revealed.' : 'Nobody was better than another.'}
          </p>
        )}
        {problem !== null && <p role="status">{problem}</p>}
        <Stats
          items={[
            state === 'open'
              ? { label: 'Until the entry deadline', value: <Countdown to={deadline} /> }
              : { label: 'Entry deadline', value: formatTime(deadline) },
            ...(state === 'frozen' && start !== null
              ? [{ label: 'Until the start', value: <Countdown to={start} /> }]
              : []),
            { label: 'Entrants', value: formatNumber(tournament.entrants.length) },
            { label: 'Matches', value: formatNumber(matches) },
            ...(state === 'open' || state === 'frozen'
              ? [
                  {
                    label: 'Expected to take',
                    value: expected === null ? 'known after a batch' : spanText(expected * 1000),
                  },
                ]
              : []),
          ]}
        />
        {prize !== '' && <p>Prize: {prize}</p>}
        {overlaps.length > 0 && (
          <p className="muted">
            At about the same time:{' '}
            {overlaps.map((slug) => (
              <Link key={slug} to={`/tournaments/${slug}`}>
                {slug}{' '}
              </Link>
            ))}
            They share the runners, so each takes longer.
          </p>
        )}
      </div>
    </Panel>
  );
}

/** Counts down to a time, each second. */
function Countdown({ to }: { to: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={to} title={formatTime(to)} className="mono-number">
      {spanText(Date.parse(to) - now)}
    </time>
  );
}

function ruleOf({ spec, players, hands_each: each }: Stage): string {
  const matches = spec.mode === 'duplicate' ? 'duplicate matches (each deal in six rotations)' : 'matches';
  const cut =
    spec.advance === null
      ? 'The first one is the champion.'
      : `The best ${spec.advance} go on, with all who are level with the last of them${spec.advance === 6 ? ' as far as the table has seats' : ''}.`;
  const stop = spec.stop_rule === null ? '' : ' It ends when all pairs are decided.';
  return `${formatNumber(players)} players, each ${formatNumber(each)} hands in ${matches} of ${formatNumber(spec.hands)} hands; all sit at equally many tables. ${cut}${stop}`;
}

function StagePanel({ stage, me }: { stage: Stage; me: string | undefined }) {
  const { name, state, standings, matches, finished, batch_number: batch, seconds_left: left } = stage;
  return (
    <>
      <Panel
        title={name}
        flush
        actions={batch !== null && !stage.hidden && <Link to={`/batches/${batch}`}>Matches</Link>}
      >
        <div className="panel-body stack">
          <p className="muted">{ruleOf(stage)}</p>
          {state === 'pending' && <p>Not started. {formatNumber(matches)} matches for the entrants at present.</p>}
          {state === 'running' && (
            <p className="tournament-progress">
              <progress value={finished} max={matches} aria-label={`Matches of ${name}`} />
              <span className="mono-number">
                {formatNumber(finished)} of {formatNumber(matches)} matches
                {left !== null && `, about ${spanText(left * 1000)} left`}
              </span>
            </p>
          )}
          {stage.hidden && <p>The results are hidden until they are revealed, from the last place to the first.</p>}
        </div>
        {standings.length > 0 && <Standings stage={stage} me={me} />}
      </Panel>
      {batch !== null && !stage.hidden && <TellingHand title={`Hand of the stage: ${name}`} batch={batch} />}
    </>
  );
}

function Standings({ stage, me }: { stage: Stage; me: string | undefined }) {
  const { standings, batch_number: batch } = stage;
  const known = standings.flatMap(({ adjusted, low, high }) =>
    adjusted === null || low === null || high === null ? [] : [{ rating: adjusted, low, high }],
  );
  const scale = scaleOf(known);
  const lastIn = standings.filter(({ advances }) => advances).at(-1)?.username;
  const columns: Column<Standing>[] = [
    { label: 'Rank', cell: ({ rank }) => rank },
    {
      label: 'Player',
      brief: true,
      cell: ({ username, advances }) => (
        <span className="cluster">
          <Link to={`/players/${username}`}>{username}</Link>
          {advances && <Badge color="green">Goes on</Badge>}
        </span>
      ),
    },
    {
      label: 'Winnings',
      align: 'end',
      brief: true,
      cell: ({ delta }) => <b className={`mono-number ${deltaClass(delta)}`}>{formatDelta(delta)}</b>,
    },
    {
      label: 'Without luck',
      align: 'end',
      cell: ({ adjusted }) =>
        adjusted === null ? (
          <span className="muted">not known yet</span>
        ) : (
          <span className="mono-number">{formatRating(adjusted)}</span>
        ),
    },
    {
      label: '95 % interval',
      cell: ({ adjusted, low, high }) =>
        adjusted === null || low === null || high === null ? (
          ''
        ) : (
          <IntervalBar rating={adjusted} low={low} high={high} {...scale} />
        ),
    },
    {
      label: 'Matches',
      align: 'end',
      cell: ({ matches, username }) =>
        batch === null || stage.hidden ? (
          formatNumber(matches)
        ) : (
          <Link to={`/games?batch=${batch}&player=${encodeURIComponent(username)}`}>{formatNumber(matches)}</Link>
        ),
    },
  ];
  return (
    <>
      <Table
        caption={`Standing of ${stage.name}`}
        columns={columns}
        rows={standings}
        rowKey={({ username }) => username}
        rowClass={({ username }) =>
          [username === me ? 'tournament-mine' : '', username === lastIn ? 'tournament-cut' : ''].join(' ').trim() ||
          undefined
        }
        foldedAs={({ username }) => username}
      />
      <p className="panel-body muted">
        Ranked by chips won. Beside it chips per 100 hands without luck: whose intervals overlap may owe the order to
        luck.
      </p>
    </>
  );
}
