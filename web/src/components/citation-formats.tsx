import '@citation-js/plugin-bibtex';
import { Cite } from '@citation-js/core';
import { useState } from 'react';
import type { Citation } from '../lib/types.ts';
import { CopyButton } from './copy-button.tsx';
import { Tabs } from './tabs.tsx';

type Item = Citation['item'];

const TABS = [
  { id: 'bibtex', label: 'BibTeX' },
  { id: 'apa', label: 'APA' },
  { id: 'csl', label: 'CSL-JSON' },
] as const;
type Format = (typeof TABS)[number]['id'];

/** Formats a data set that was read on a day. APA by hand: the CSL processor has a license that this site cannot take over. */
export function formatCitation(item: Item, readAt: Date): Record<Format, string> {
  const csl = {
    ...item,
    accessed: { 'date-parts': [[readAt.getFullYear(), readAt.getMonth() + 1, readAt.getDate()]] },
  };
  const day = readAt.toLocaleDateString('en-US', { year: 'numeric', month: 'long', day: 'numeric' });
  const authors = item.author.map(({ literal }) => literal).join(', ');
  const year = item.issued['date-parts'][0]?.[0] ?? 'n.d.';
  return {
    bibtex: new Cite([{ ...csl, 'citation-key': item.id }]).format('bibtex').trim(),
    apa: `${authors}. (${year}). ${item.title} (${item.version}) [Data set]. ${item.publisher}. Retrieved ${day}, from ${item.URL}`,
    csl: JSON.stringify([csl], null, 2),
  };
}

export function CitationFormats({ item }: { item: Item }) {
  const [format, setFormat] = useState<Format>('bibtex');
  const text = formatCitation(item, new Date())[format];
  return (
    <Tabs label="Format" tabs={[...TABS]} selected={format} onSelect={setFormat}>
      <div className="stack">
        <pre className="citation">{text}</pre>
        <div>
          <CopyButton text={text} label="Copy citation" />
        </div>
      </div>
    </Tabs>
  );
}
