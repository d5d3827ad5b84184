import { expect, it } from 'vitest';
import { formatCitation } from './citation-formats.tsx';

const url = 'https://play.example.org/batches/3?snapshot=12-0123456789abcdef';
const hash = '0123456789abcdef'.repeat(4);
const item = {
  id: 'husky_holdem_batches_3_12_0123456789abcdef',
  type: 'dataset' as const,
  title: "Husky Hold'em Bench: Batch 3",
  author: [{ literal: "Husky Hold'em Bench team" }],
  publisher: "Husky Hold'em Bench",
  issued: { 'date-parts': [[2026, 11, 27]] },
  version: 'methodology version 2',
  URL: url,
  note: `12 matches, 12,000 hands; methodology version 2; SHA-256 ${hash}`,
};

it('cites a data set with address, dates, methodology version and hash', () => {
  const { bibtex, apa, csl } = formatCitation(item, new Date(2026, 10, 28));
  for (const part of [
    `@misc{${item.id},`,
    "author = {{Husky Hold'em Bench team}}",
    'title = ',
    '2026',
    hash,
    url,
    'methodology version 2',
  ])
    expect(bibtex).toContain(part);
  expect(apa).toBe(
    `Husky Hold'em Bench team. (2026). Husky Hold'em Bench: Batch 3 (methodology version 2) [Data set]. Husky Hold'em Bench. Retrieved November 28, 2026, from ${url}`,
  );
  expect(JSON.parse(csl)).toEqual([{ ...item, accessed: { 'date-parts': [[2026, 11, 28]] } }]);
});
