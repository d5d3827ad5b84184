import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { ErrorBox, LoadError, Loading } from '../components/feedback.tsx';
import { Tabs } from '../components/tabs.tsx';
import { toast } from '../components/toasts.tsx';
import { api } from '../lib/api.ts';
import { isApiError, messageOf } from '../lib/api-error.ts';
import { saveBlob } from '../lib/download.ts';
import { POLL_ADMIN_MS, queryKeys } from '../lib/query-keys.ts';
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
  if (standings.isPending)
    return (
      <Place>
        <Loading inline text="Loading standings..." />
      </Place>
    );
  if (standings.isError) {
    // Matches that became private or were deleted while they were watched are no longer shown.
    if (isApiError(standings.error, 404)) {
      return <ErrorBox text={`There are no public matches of ${describe(scope)}. They may be private or deleted.`} />;
    }
    if (standings.data === undefined) {
      return <LoadError what="the standings" query={standings} />;
    }
  }
  const view = <StandingsView standings={standings.data} name={name} onSaveCsv={() => void saveCsv()} />;
  return standings.data.state === 'computing' && standings.data.players.length === 0 ? <Place>{view}</Place> : view;
}

/** Fills the window, so that what follows does not move when the standings are there. */
const Place = ({ children }: { children: ReactNode }) => <div className="standings-place">{children}</div>;

function nameOf({ batch, tag }: Scope): string {
  if (batch !== undefined) return `batch-${batch}`;
  return tag === undefined ? 'all' : tag.replaceAll(/[^\w-]+/g, '-');
}

function describe({ batch, tag }: Scope): string {
  return batch === undefined ? `the tag ${tag}` : `batch #${batch}`;
}

type View = 'results' | 'standings';

type Props = {
  /** Label of the first tab, whose content is `children`. */
  label: string;
  children: ReactNode;
  standings: ReactNode;
};

/** Shows two tabs: results as the platform specifies them, and standings with intervals. The address has `view=standings` for the second. */
export function StandingsTabs({ label, children, standings }: Props) {
  const [search, setSearch] = useSearchParams();
  const view: View = search.get('view') === 'standings' ? 'standings' : 'results';
  const select = (next: View) => {
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (next === 'standings') after.set('view', next);
        else after.delete('view');
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  return (
    <Tabs<View>
      label="Views of the results"
      tabs={[
        { id: 'results', label },
        { id: 'standings', label: 'Standings' },
      ]}
      selected={view}
      onSelect={select}
    >
      <div className="page-body">{view === 'standings' ? standings : children}</div>
    </Tabs>
  );
}
