import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ErrorBox, LoadError } from '../components/error-box.tsx';
import { Loading } from '../components/loading.tsx';
import { toast } from '../components/toast-store.ts';
import { api } from '../lib/api.ts';
import { isApiError, messageOf } from '../lib/api-error.ts';
import { saveBlob } from '../lib/download.ts';
import { POLL_ADMIN_MS } from '../lib/polling.ts';
import { queryKeys } from '../lib/query-keys.ts';
import { StandingsView } from './standings-view.tsx';

/** Interval of the polls while standings are being computed. */
const POLL_COMPUTING_MS = 3_000;

/** Which matches count: those of a batch, those published under a tag, or all public ones. */
export type Scope = { batch?: string | undefined; tag?: string | undefined };

/** Loads and shows the standings of a scope. `open`: matches are still to be played, so that the standings will change. */
export function StandingsPanel({ scope, open = false }: { scope: Scope; open?: boolean }) {
  const standings = useQuery({
    queryKey: queryKeys.standings(scope),
    queryFn: ({ signal }) => api.get('/live/standings', { query: scope, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      if (state.data?.state === 'computing') return POLL_COMPUTING_MS;
      return open ? POLL_ADMIN_MS : false;
    },
  });
  const name = nameOf(scope);
  const saveCsv = async () => {
    try {
      saveBlob(await api.blob('/live/standings.csv', { query: scope }), `standings-${name}.csv`);
    } catch (error) {
      toast.error(`Failed to download. ${messageOf(error)}`);
    }
  };
  if (standings.isPending) return <Loading inline text="Loading standings..." />;
  if (standings.isError) {
    // Matches that became private or were deleted while they were watched are no longer shown.
    if (isApiError(standings.error, 404)) {
      return <ErrorBox text={`There are no public matches of ${describe(scope)}. They may be private or deleted.`} />;
    }
    if (standings.data === undefined) {
      return <LoadError what="the standings" query={standings} />;
    }
  }
  return <StandingsView standings={standings.data} name={name} onSaveCsv={() => void saveCsv()} />;
}

function nameOf({ batch, tag }: Scope): string {
  if (batch !== undefined) return `batch-${batch}`;
  return tag === undefined ? 'all' : tag.replaceAll(/[^\w-]+/g, '-');
}

function describe({ batch, tag }: Scope): string {
  return batch === undefined ? `the tag ${tag}` : `batch #${batch}`;
}
