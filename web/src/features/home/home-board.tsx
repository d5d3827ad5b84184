import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState, ErrorBox, Loading } from '../../components/feedback.tsx';
import { ChoiceField } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { PageNumbers } from '../../components/pagination.tsx';
import { RankedEntries } from '../../components/ranked-entries.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { Board } from '../../lib/types.ts';

const PAGE_SIZE = 20;

const countText = (count: number, noun: string, nouns = `${noun}s`) =>
  `${formatNumber(count)} ${count === 1 ? noun : nouns}`;

/** Returns the text under a board, which explains its scores. */
export function boardDescription({ from_matches, matches }: Pick<Board, 'from_matches' | 'matches'>): string {
  return from_matches
    ? `One row per user: the total that the user's bot won or lost in its matches on this board. The board counts ${countText(matches, 'match', 'matches')}.`
    : 'One row per user: the sum of the scores that the organisers entered on this board.';
}

/** Shows the board of the event's settings, without one that with the newest result; or another one that the user selects. */
export function HomeBoard({ currentUser }: { currentUser: string | null }) {
  const [chosen, setChosen] = useState('');
  const [page, setPage] = useState(1);
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: queryKeys.board(chosen, page),
    queryFn: ({ signal }) =>
      api.get('/leaderboard/board', { query: { tag: chosen, page, page_size: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });
  const choose = (tag: string) => {
    setChosen(tag);
    setPage(1);
  };
  return (
    <Panel title="Model Leaderboard" flush>
      {isPending && <Loading inline text="Loading leaderboard..." />}
      {isError && (
        <div className="panel-body">
          <ErrorBox text="Failed to load leaderboard data." onRetry={() => void refetch()} />
        </div>
      )}
      {data && (
        <>
          <BoardHead board={data} onChoose={choose} />
          {data.rows.length === 0 ? (
            <EmptyState title="No entries found" text="Be the first to appear on the leaderboard!" />
          ) : (
            <RankedEntries
              label="Model Leaderboard"
              entries={data.rows.map((row) => ({ ...row, id: row.username, note: noteOf(row, data.from_matches) }))}
              currentUser={currentUser}
            />
          )}
          {data.total_count > PAGE_SIZE && (
            <PageNumbers noun="users" page={data.page} pageSize={PAGE_SIZE} total={data.total_count} onPage={setPage} />
          )}
          <p className="panel-body muted board-note">
            {boardDescription(data)} {data.note}
          </p>
        </>
      )}
    </Panel>
  );
}

type Counts = Partial<Pick<Board['rows'][number], 'matches' | 'entries'>>;

function noteOf({ matches, entries }: Counts, fromMatches: boolean): string {
  const count = fromMatches ? matches : entries;
  if (count === undefined) return '';
  return fromMatches ? countText(count, 'match', 'matches') : countText(count, 'entry', 'entries');
}

function BoardHead({ board, onChoose }: { board: Board; onChoose: (tag: string) => void }) {
  const others = board.boards.filter((tag) => tag !== board.tag);
  return (
    <div className="panel-body board-head">
      <h3>Board {board.tag}</h3>
      {others.length > 0 && (
        <ChoiceField
          label="Board"
          value={board.tag}
          choices={Object.fromEntries([board.tag, ...others].map((tag) => [tag, tag]))}
          onChoose={onChoose}
        />
      )}
    </div>
  );
}
