import { LiveMark } from '../components/badge.tsx';
import { FaultLine } from '../components/bot-faults.tsx';
import { CommandLine } from '../components/code-view.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { DiffView, diffTexts } from '../components/diff-view.tsx';
import { Deferred } from '../components/feedback.tsx';
import { JobOutcome, JobState } from '../components/job-table.tsx';
import { type CardMatch, MatchCards } from '../components/match-card.tsx';
import { Name } from '../components/name.tsx';
import { BackLink, Stats } from '../components/page.tsx';
import { PagedRows } from '../components/pagination.tsx';
import { Rank, RankedEntries } from '../components/ranked-entries.tsx';
import { Table } from '../components/table.tsx';
import { ApiError } from '../lib/api-error.ts';
import type { PagedList } from '../lib/paged-list.ts';
import type { BotFaults } from '../lib/types.ts';
import type { Sample } from './control-samples.tsx';
import { PageSamples, RosterSample, TabSamples } from './interactive-samples.tsx';

const PLAYERS = ['deep-stack', 'river-rat', 'pot-counter'];
const LONG_NAME = 'a-name-of-thirty-two-characters-x';
const FAULTS: BotFaults = {
  by_kind: { timeout: 2 },
  decisions: 120,
  failed: 2,
  failed_calls: 0,
  first: null,
  never_started: false,
  stopped_by: null,
  summary: 'did not answer in time in 2 of 120 decisions',
};
const MATCH: CardMatch = {
  job_id: 'job-1',
  batch_number: 3,
  batch_is_public: true,
  game_number: 7,
  players: PLAYERS,
  status: 'Running',
  winner: 'deep-stack',
  winner_delta: 1_204,
  hands: 400,
  end_reason: null,
  first_game_created_at: '2026-11-22T10:00:00Z',
};
const columns = [
  { label: 'Player', cell: (name: string) => name },
  { label: 'Hands', cell: () => '1,000', align: 'end' as const },
  { label: 'Rank', sort: 'ascending' as const, cell: (_: string, index: number) => index + 1, align: 'end' as const },
];
const table = (rows: string[]) => <Table caption="Players" columns={columns} rows={rows} rowKey={(name) => name} />;

const IDLE = { isPending: false, isFetching: false, isError: false, error: null, data: undefined };
const listOf = (part: Partial<PagedList<string>['query']>): PagedList<string> => ({
  query: { ...IDLE, refetch: () => undefined, ...part },
  page: 1,
  pageSize: 3,
  setPage: () => undefined,
});

/** Lists, matches, code and everything else that shows data, each in all of its states. */
export const DATA_SAMPLES: readonly Sample[] = [
  { name: 'table', states: 'Rows; on a phone each row is a card', content: table([...PLAYERS, LONG_NAME]) },
  {
    name: 'paged-rows',
    file: 'pagination',
    states: 'Loading, failed, empty, rows',
    content: [
      listOf({ isPending: true }),
      listOf({ isError: true, error: new ApiError({ status: 503, detail: 'The service is unavailable.' }) }),
      listOf({ data: { items: [], total: 0 } }),
      listOf({ data: { items: PLAYERS, total: 60 } }),
    ].map((list, index) => (
      <PagedRows
        // biome-ignore lint/suspicious/noArrayIndexKey: the states have a fixed order
        key={index}
        list={list}
        noun="players"
        empty="No players found"
      >
        {table}
      </PagedRows>
    )),
  },
  { name: 'pagination', states: 'Five page numbers around the current page', content: <PageSamples /> },
  { name: 'tabs', states: 'Arrow keys, Home and End', content: <TabSamples /> },
  { name: 'code-view', states: 'See the tabs', content: null },
  {
    name: 'diff-view',
    states: 'Changed lines, no differences',
    content: (
      <>
        <DiffView lines={diffTexts('fold\nwait\n', 'call\nwait\n')} />
        <DiffView lines={[]} />
      </>
    ),
  },
  {
    name: 'command-line',
    file: 'code-view',
    states: 'Wraps long lines',
    content: <CommandLine text="pip install husky_holdem" label="Copy the command" />,
  },
  { name: 'copy-button', states: "Says 'Copied' for 2 s", content: <CopyButton text="job-1" label="Copy job ID" /> },
  {
    name: 'job-cells',
    file: 'job-table',
    states: 'Waiting, running, finished, failed, no contest',
    content: (
      <>
        <JobState status="Pending" progress={{ queue_position: 3 }} />
        <JobState status="Running" progress={{ hands_done: 400, num_rounds: 1_000 }} />
        <JobState status="Finished" progress={{ no_contest: true }} />
        <JobOutcome status="Finished" error={null} results={{ 'deep-stack': 120.5, 'river-rat': -120.5 }} />
        <JobOutcome status="Failed" error="The dealer lost its lease 3 times." results={null} />
        <JobOutcome status="Running" error={null} results={null} />
      </>
    ),
  },
  {
    name: 'deferred',
    file: 'feedback',
    states: 'Shown after the rest of the page',
    content: <Deferred>Rendered later</Deferred>,
  },
  {
    name: 'match-card',
    states: 'In play, finished',
    content: <MatchCards matches={[MATCH, { ...MATCH, job_id: 'job-2', status: 'Finished', hands: 1_000 }]} />,
  },
  { name: 'live-mark', file: 'badge', states: 'A match in play', content: <LiveMark /> },
  { name: 'bot-faults', states: 'A bot with faults', content: <FaultLine who="Your bot" faults={FAULTS} /> },
  {
    name: 'ranked-entries',
    states: 'Own entry, zero, loss, long name',
    content: (
      <RankedEntries
        label="Standing"
        currentUser="river-rat"
        entries={[
          { id: '1', username: 'deep-stack', score: 1_204.5, note: '12 matches' },
          { id: '2', username: 'river-rat', score: 0 },
          { id: '3', username: LONG_NAME, score: -88 },
        ]}
      />
    ),
  },
  {
    name: 'rank',
    file: 'ranked-entries',
    states: 'First three, others',
    content: (
      <div className="cluster">
        {[1, 2, 3, 4, 128].map((rank) => (
          <Rank key={rank} rank={rank} />
        ))}
      </div>
    ),
  },
  { name: 'name', states: 'Two lines, whole on focus', content: <Name name={LONG_NAME} /> },
  { name: 'user-picker', states: 'A roster with empty seats', content: <RosterSample /> },
  {
    name: 'back-link',
    file: 'page',
    states: 'Above a heading',
    content: <BackLink to="/dev/components">Components</BackLink>,
  },
  {
    name: 'page',
    states: 'Numbers of a panel',
    content: (
      <Stats
        items={[
          { label: 'Matches', value: '1,204' },
          { label: 'Last score', value: 'Never', text: true },
        ]}
      />
    ),
  },
];
