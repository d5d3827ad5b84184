import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button, ButtonLink } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { EmptyState, ErrorBox, Loading } from '../../components/feedback.tsx';
import { TextField } from '../../components/form.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { PageNumbers } from '../../components/pagination.tsx';
import { RankedEntries } from '../../components/ranked-entries.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { detailOf } from '../../lib/api-error.ts';
import { formatDelta } from '../../lib/format.ts';
import { invalidateScores, queryKeys } from '../../lib/query-keys.ts';
import type { LeaderboardEntry } from '../../lib/types.ts';
import { useSession } from '../../session/session.ts';
import { StandingsPanel, StandingsTabs } from '../../standings/standings-panel.tsx';

const PAGE_SIZE = 100;

export function LeaderboardPage() {
  const { user } = useSession();
  const [params, setParams] = useSearchParams();
  const tag = params.get('tag');
  const batch = params.get('batch');
  const filter = (key: 'tag' | 'batch', value: string | null) => {
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        // The standings are those of a tag or of a batch.
        next.delete('tag');
        next.delete('batch');
        if (value !== null) next.set(key, value);
        return next;
      },
      { replace: true },
    );
  };
  return (
    <Page
      title="Leaderboard"
      lead={`The top ${PAGE_SIZE} entries, by Delta Money. A user can have an entry on several boards.`}
      actions={
        <ButtonLink to="/directory" variant="ghost">
          Directory
        </ButtonLink>
      }
    >
      <TagFilter tag={tag} onTag={(next) => filter('tag', next)} />
      <StandingsTabs
        label="Ranking"
        standings={
          <>
            <BatchFilter key={batch} batch={batch} onBatch={(next) => filter('batch', next)} />
            <StandingsPanel scope={{ tag: tag ?? undefined, batch: batch ?? undefined }} />
          </>
        }
      >
        <Panel title={tag ?? 'All entries'} flush>
          <Entries key={tag} tag={tag} currentUser={user?.username ?? null} admin={user?.admin ?? false} />
        </Panel>
      </StandingsTabs>
    </Page>
  );
}

/** Shows the standings of one batch; an empty field shows those of all public matches. */
function BatchFilter({ batch, onBatch }: { batch: string | null; onBatch: (batch: string | null) => void }) {
  const [number, setNumber] = useState(batch ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onBatch(number.trim() === '' ? null : number.trim());
  };
  return (
    <form className="cluster" onSubmit={submit}>
      <TextField
        label="Number of a batch"
        inputMode="numeric"
        pattern="[1-9][0-9]{0,8}"
        title="The number of a batch, such as 7"
        autoComplete="off"
        value={number}
        onChange={(event) => setNumber(event.target.value)}
      />
      <Button type="submit" variant="secondary">
        Show batch
      </Button>
    </form>
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

/** The specification has the entries alone. */
type TopPage = { top_entries: (LeaderboardEntry & { rank?: number })[]; page?: number; total_count?: number };

function Entries({ tag, currentUser, admin }: { tag: string | null; currentUser: string | null; admin: boolean }) {
  const client = useQueryClient();
  const [toDelete, setToDelete] = useState<LeaderboardEntry | null>(null);
  const [page, setPage] = useState(1);
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: [...queryKeys.topEntries(PAGE_SIZE, tag), page],
    queryFn: ({ signal }) =>
      api.get('/leaderboard/top/{n}', { params: { n: PAGE_SIZE }, query: { tag: tag ?? undefined, page }, signal }),
    placeholderData: keepPreviousData,
  });
  const removal = useMutation({
    mutationFn: (id: string) => api.delete('/leaderboard/remove/{id}', { params: { id } }),
    onSuccess: () => toast.success('Entry deleted.'),
    onError: (error) => toast.error(`Failed to delete entry. ${detailOf(error, '')}`.trim()),
    onSettled: () => {
      setToDelete(null);
      return invalidateScores(client);
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
  const { top_entries: entries, page: shownPage = page, total_count: total = entries.length }: TopPage = data;
  if (entries.length === 0) return <EmptyState title="No entries found" />;
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
      <RankedEntries
        label="Leaderboard"
        entries={entries}
        currentUser={currentUser}
        showTag={tag === null}
        {...(admin ? { actions } : {})}
      />
      <PageNumbers noun="entries" page={shownPage} pageSize={PAGE_SIZE} total={total} onPage={setPage} />
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
