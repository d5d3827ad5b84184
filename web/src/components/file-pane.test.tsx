// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { refusal, renderInApp, stubApi } from '../dev/render-in-app.tsx';
import { FilePane } from './file-pane.tsx';
import { getToasts } from './toast-store.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = () => renderInApp(<FilePane fileId="f 1" fileName="player.py" />);

it('shows the text of a stored file, or that it is empty', async () => {
  stubApi(() => Response.json({ file_data: 'import bot\n' }));
  show();
  expect((await screen.findByRole('region', { name: 'Contents of player.py' })).textContent).toBe('import bot');
  cleanup();
  stubApi(() => Response.json({ file_data: '' }));
  show();
  expect(await screen.findByText('The file is empty.')).toBeTruthy();
});

it('shows an error for a file that cannot be fetched, and retries on request', async () => {
  const calls = stubApi(() => refusal(500, ''));
  show();
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to fetch file contents.');
  stubApi(() => Response.json({ file_data: 'x' }));
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('x');
  expect(calls).toEqual(['GET /submission/files/f%201']);
});

it('reports a download that fails', async () => {
  stubApi((call) => (call.includes('/files/') ? Response.json({ file_data: 'x' }) : refusal(404, '')));
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Download player.py' }));
  await vi.waitFor(() => expect(getToasts().at(-1)?.text).toBe('Failed to fetch file contents.'));
});
