// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderInApp } from '../dev/render-in-app.tsx';
import { Doc } from './doc.tsx';

afterEach(cleanup);

it('shows a document without its title, and links its parts', async () => {
  const source = '# Bots\n\n## The *interface*\n\nCall `act`.\n';
  const { container } = renderInApp(<Doc name="bots" load={async () => source} />);
  const contents = within(await screen.findByRole('navigation', { name: 'Contents' }));
  expect(contents.getByRole('link', { name: 'The interface' }).getAttribute('href')).toBe('#the-interface');
  expect(container.querySelector('article')?.innerHTML).toContain('<code>act</code>');
  expect(container.querySelector('h1')).toBeNull();
});

it('shows an error if the document cannot be loaded', async () => {
  renderInApp(<Doc name="none" load={() => Promise.reject(new Error('no chunk'))} />);
  expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded');
});
