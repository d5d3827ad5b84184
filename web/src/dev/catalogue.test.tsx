// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import css from '../app/tokens.css?raw';
import { CataloguePage, readTokens, SAMPLES } from './catalogue-page.tsx';

afterEach(cleanup);

/** Components that call the API; the catalogue has their parts only. */
const API_COMPONENTS = [
  'bot-upload',
  'citation-formats',
  'cite',
  'data-exports',
  'data-license',
  'doc',
  'downloads',
  'freeze-note',
  'hand-status',
  'job-requeue',
  'roster-page',
  'telling-hand',
  'tournament-2025-button',
];

it('has every shared component that does not call the API', () => {
  const files = Object.keys(import.meta.glob('../components/*.tsx'))
    .map((path) => path.replace('../components/', '').replace('.tsx', ''))
    .filter((file) => !file.endsWith('.test'));
  const shown = new Set(SAMPLES.map(({ name, file = name }) => file));
  expect([...shown].sort()).toEqual(files.filter((file) => !API_COMPONENTS.includes(file)).sort());
});

it('renders every sample with its heading', () => {
  render(
    <MemoryRouter>
      <CataloguePage />
    </MemoryRouter>,
  );
  for (const { name, content } of SAMPLES) {
    if (content !== null) expect(screen.getByRole('heading', { name })).toBeTruthy();
  }
});

it('groups every design token of tokens.css', () => {
  const listed = readTokens(css).flatMap((group) => group.tokens.map(({ name }) => name));
  expect(listed).toEqual([...css.matchAll(/^ {2}(--[\w-]+):/gm)].map(([, name]) => name));
});
