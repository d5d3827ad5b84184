import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button, ButtonLink } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { PageNumbers } from '../../components/pagination.tsx';
import { Loading } from '../../components/spinner.tsx';
import { Standings } from '../../components/standings.tsx';
import { toast } from '../../components/toast-store.ts';
import { api } from '../../lib/api.ts';
import { detailOf } from '../../lib/api-error.ts';
import { formatDelta } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { scoresChanged } from '../../lib/stale-lists.ts';
import type { LeaderboardEntry } from '../../lib/types.ts';
import { useSession } from '../../session/session.ts';

const SHOWN = 100;

export function LeaderboardPage() {
  const { user } = useSession();
  const [params, setParams] = useSearchParams();
  const tag = params.get('tag');
  return (
    <Page
      title="Leaderboard"
      lead={`The top ${SHOWN} entries, by Delta Money. A user can have an entry on several boards.`}
      actions={
        <ButtonLink to="/directory" variant="ghost">
          Directory
        </ButtonLink>
      }
    >
      <TagFilter tag={tag} onTag={(next) => setParams(next === null ? {} : { tag: next }, { replace: true })} />
      <Panel title={tag ?? 'All entries'} flush>
        <Entries key={tag} tag={tag} currentUser={user?.username ?? null} admin={user?.admin ?? false} />
      </Panel>
    </Page>
  );
}

function TagFilter({ tag, onTag }: { tag: string | null; onTag: (tag: string | null) => void }) {
  const { data } = useQuery({
    queryKey: queryKeys.leaderboardTags,
    queryFn: ({ signal }) => api.get('/leaderboard/tags', { signal }),
  });
  const choices = [null, ...(data?.tags ?? [])];
  return (
    <fieldset className="cluster plain-fieldset">
      <legend className="visually-hidden">Filter by tag</legend>
      {choices.map((choice) => (
        <Button
          key={choice ?? ''}
          small
          variant={choice === tag ? 'primary' : 'ghost'}
          aria-pressed={choice === tag}
          onClick={() => onTag(choice)}
        >
          {choice ?? 'All'}
        </Button>
      ))}
    </fieldset>
  );
}

function Entries({ tag, currentUser, admin }: { tag: string | null; currentUser: string | null; admin: boolean }) {
  const client = useQueryClient();
  const [toDelete, setToDelete] = useState<LeaderboardEntry | null>(null);
  const [page, setPage] = useState(1);
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: [...queryKeys.topEntries(SHOWN, tag), page],
    queryFn: ({ signal }) =>
      api.get('/leaderboard/top/{n}', { params: { n: SHOWN }, query: { tag: tag ?? undefined, page }, signal }),
    placeholderData: keepPreviousData,
  });
  const removal = useMutation({
    mutationFn: (id: string) => api.delete('/leaderboard/remove/{id}', { params: { id } }),
    onSuccess: () => toast.success('Entry deleted.'),
    onError: (error) => toast.error(`Failed to delete entry. ${detailOf(error, '')}`.trim()),
    onSettled: () => {
      setToDelete(null);
      return scoresChanged(client);
    },
  });

  if (isPending) return <Loading inline text="Loading leaderboard..." />;
  if (isError) {
    return (
      <div className="panel-body">
        <ErrorBox text="Failed to load leaderboard data." onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data.top_entries.length === 0) return <EmptyState title="No entries found" />;
  const actions = (entry: LeaderboardEntry) => (
    <Button
      variant="danger"
      small
      aria-label={`Delete the entry of ${entry.username}`}
      onClick={() => setToDelete(entry)}
    >
      Delete
    </Button>
  );
  return (
    <>
      <Standings
        label="Leaderboard"
        entries={data.top_entries}
        firstRank={(data.page - 1) * SHOWN + 1}
        currentUser={currentUser}
        showTag={tag === null}
        {...(admin ? { actions } : {})}
      />
      <PageNumbers noun="entries" page={data.page} pageSize={SHOWN} total={data.total_count} onPage={setPage} />
      <ConfirmDialog
        open={toDelete !== null}
        title="Delete entry"
        confirmLabel="Delete"
        busy={removal.isPending}
        onConfirm={() => toDelete && removal.mutate(toDelete.id)}
        onCancel={() => setToDelete(null)}
      >
        <p>
          Are you sure you want to delete the entry of {toDelete?.username} (
          {toDelete ? formatDelta(toDelete.score) : ''})?
        </p>
      </ConfirmDialog>
    </>
  );
}
