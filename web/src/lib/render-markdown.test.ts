import { expect, it } from 'vitest';
import { headingId } from './render-markdown.ts';

it('gives every heading a unique id', () => {
  const taken = new Set<string>();
  expect(['The rules', 'The `rules`!', '???', 'requirements.txt'].map((text) => headingId(text, taken))).toEqual([
    'the-rules',
    'the-rules-1',
    'part',
    'requirementstxt',
  ]);
});
