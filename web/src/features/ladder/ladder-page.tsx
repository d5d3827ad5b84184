import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Badge } from '../../components/badge.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { EmptyState, QueryState } from '../../components/feedback.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { PageNumbers } from '../../components/pagination.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { BotName } from '../../ladder/bot-name.tsx';
import { formatRating, IntervalBar, rankText, Sparkline, scaleOf } from '../../ladder/figures.tsx';
import { api } from '../../lib/api.ts';
import { deltaClass, formatNumber, formatTime } from '../../lib/format.ts';
import { challengePath } from '../../lib/matches.ts';
import { POLL_LADDER_MS, queryKeys } from '../../lib/query-keys.ts';
import type { Ladder, LadderEntry } from '../../lib/types.ts';
import { useSession } from '../../session/session.ts';

const PAGE_SIZE = 50;

/** Shows /ladder: the ratings of the final submissions, and what is on its tables now. */
export function LadderPage() {
  const { user } = useSession();
  const [page, setPage] = useState(1);
  const ladder = useQuery({
    queryKey: queryKeys.ladder(page),
    queryFn: ({ signal }) => api.get('/ladder', { query: { page, page_size: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_LADDER_MS,
  });
  const { data } = ladder;
  return (
    <Page
      title="Ladder"
      width="wide"
      lead="The bots of all participants meet by themselves, all day, with the same cards for everybody."
      actions={
        user && (
          <ButtonLink to="/submission" variant="secondary">
            My submissions
          </ButtonLink>
        )
      }
    >
      <Panel title="Ratings" flush>
        <QueryState what="the ladder" query={ladder} padded />
        {data?.entries.length === 0 && (
          <EmptyState
            title="No rating yet"
            text="Ratings appear after the first set. Upload a bot and mark it as final: it takes part by itself."
          />
        )}
        {data && data.entries.length > 0 && (
          <>
            <Ratings ladder={data} me={user?.username} mayChallenge={user?.is_verified === true} />
            <PageNumbers noun="bots" page={data.page} pageSize={PAGE_SIZE} total={data.total_count} onPage={setPage} />
            <p className="panel-body muted">
              Chips per 100 hands against the mean of the field, without luck; 10 chips are a big blind. The bars are 95
              % intervals. {data.computed_at !== null && `Last set ${formatTime(data.computed_at)}.`}
            </p>
          </>
        )}
      </Panel>
      {data && <Playing ladder={data} />}
      <Panel title="How it works">
        <HowItWorks handsASet={data?.hands_a_set} />
      </Panel>
    </Page>
  );
}

type RatingsProps = { ladder: Ladder; me: string | undefined; mayChallenge: boolean };

function Ratings({ ladder, me, mayChallenge }: RatingsProps) {
  const scale = scaleOf(ladder.entries);
  const columns: Column<LadderEntry>[] = [
    {
      label: 'Rank',
      cell: (entry) => (
        <span
          className="ladder-figure"
          title={entry.best_rank === entry.worst_rank ? undefined : 'Tied: the intervals leave these ranks'}
        >
          {rankText(entry)}
        </span>
      ),
    },
    {
      label: 'Bot',
      brief: true,
      cell: ({ username, house, paused }) => (
        <span className="cluster ladder-bot">
          <BotName username={username} house={house} />
          {house && <Badge color="grey">House</Badge>}
          {paused && <Badge color="yellow">Paused</Badge>}
        </span>
      ),
    },
    { label: 'Version', align: 'end', cell: ({ version }) => version },
    {
      label: 'Rating',
      align: 'end',
      brief: true,
      cell: ({ rating }) => <b className={`ladder-figure mono-number ${deltaClass(rating)}`}>{formatRating(rating)}</b>,
    },
    { label: '95 % interval', cell: (entry) => <IntervalBar {...entry} {...scale} /> },
    {
      label: 'In a day',
      align: 'end',
      cell: ({ day_change: change, recent }) => (
        <span className="ladder-change">
          <Sparkline values={recent} />
          {change === null ? (
            <span className="muted">new</span>
          ) : (
            <span className={`mono-number ${deltaClass(Math.round(change))}`}>{formatRating(change)}</span>
          )}
        </span>
      ),
    },
    { label: 'Hands', align: 'end', cell: ({ hands }) => <span className="mono-number">{formatNumber(hands)}</span> },
    { label: 'Sets', align: 'end', cell: ({ sets }) => <span className="mono-number">{formatNumber(sets)}</span> },
  ];
  if (mayChallenge) {
    columns.push({
      label: 'Challenge',
      cell: ({ username, house, paused }) =>
        !house &&
        !paused &&
        username !== me && (
          <Link to={challengePath(username)} aria-label={`Challenge ${username}`}>
            Challenge
          </Link>
        ),
    });
  }
  return (
    <Table
      caption="Ratings of the ladder"
      columns={columns}
      rows={ladder.entries}
      rowKey={({ username }) => username}
      rowClass={({ username }) => (username === me ? 'ladder-mine' : undefined)}
      foldedAs={({ username }) => username}
    />
  );
}

function Playing({ ladder }: { ladder: Ladder }) {
  return (
    <Panel title="On the table now">
      {ladder.playing.length === 0 ? (
        <p className="muted">
          {ladder.on
            ? 'No set is played at the moment: the runners play test runs and matches first.'
            : 'The organisers have switched the ladder off. The ratings stay.'}
        </p>
      ) : (
        <ul className="ladder-tables">
          {ladder.playing.map(({ started_at, players, hands_done, hands }) => (
            <li key={`${started_at} ${players.join()}`}>
              <span>{players.join(', ')}</span>
              <progress
                value={hands_done}
                max={hands}
                aria-label={`Hands of this set, started ${formatTime(started_at)}`}
              />
              <span className="muted mono-number">
                {formatNumber(hands_done)} / {formatNumber(hands)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function HowItWorks({ handsASet }: { handsASet: number | undefined }) {
  return (
    <p className="ladder-how">
      The final submission of every verified user takes part; a switch on the page of submissions opts out. Whenever
      runners are free, six bots play a set of {handsASet === undefined ? 'some' : formatNumber(handsASet)} hands: the
      same cards six times, so that each bot sits in every seat, with equal stacks in every hand. A rating is what a bot
      wins, adjusted for luck and for who sat at its tables; its true value lies in the interval in 95 of 100 cases.
      Each version of a bot has its own rating, and a new one starts from the estimate of the last with a wider
      interval. A bot that fails in most matches of three sets is paused until its author marks another submission as
      final. Matches of sets are for their players; while nothing else is public, <Link to="/tv">the channel</Link>{' '}
      shows one every ten minutes. <Link to="/methodology">The method in full</Link>.
    </p>
  );
}
