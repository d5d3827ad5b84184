import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { api } from '../lib/api.ts';
import { queryKeys } from '../lib/query-keys.ts';
import { lazyPart } from '../lib/retry-import.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { DataLicense } from './data-license.tsx';
import { Dialog } from './dialog.tsx';
import { LoadError, Loading } from './feedback.tsx';

export type Cited = { match: string } | { batch: number };

/** Its library is loaded when the dialog opens. */
const Formats = lazyPart(async () => (await import('./citation-formats.tsx')).CitationFormats);

export function useCitation(of: Cited) {
  return useQuery({
    queryKey: queryKeys.citation(of),
    queryFn: ({ signal }) =>
      'match' in of
        ? api.get('/live/job/{id}/citation', { params: { id: of.match }, signal })
        : api.get('/batches/{number}/citation', { params: { number: String(of.batch) }, signal }),
  });
}

/** Shows the button and dialog for citing the present state of a public batch or match. */
export function CiteButton({ of }: { of: Cited }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" small aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Cite this
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Cite this data" wide>
        <Citation of={of} />
      </Dialog>
    </>
  );
}

function Citation({ of }: { of: Cited }) {
  const citation = useCitation(of);
  if (citation.isPending) return <Loading inline text="Loading the citation..." />;
  if (citation.isError) return <LoadError what="the citation" query={citation} />;
  const { item, hash } = citation.data;
  return (
    <div className="stack">
      <Suspense fallback={<Loading inline text="Loading the citation..." />}>
        <Formats item={item} />
      </Suspense>
      <p>
        The address names this state of the data: <a href={item.URL}>{item.URL}</a>{' '}
        <CopyButton text={item.URL} label="Copy address" />
      </p>
      <p className="muted">
        SHA-256 <code style={{ overflowWrap: 'anywhere' }}>{hash}</code> over the ids and digests of the matches, which
        each export contains. <DataLicense />
      </p>
    </div>
  );
}
