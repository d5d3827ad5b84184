// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { refusal, renderInApp, stubApi } from '../dev/render-in-app.tsx';
import { CodeView, FilePane } from './code-view.tsx';
import { DiffView, diffTexts } from './diff-view.tsx';
import { getToasts } from './toasts.tsx';

afterEach(cleanup);

it('shows at most 3,000 lines and the number of the others', () => {
  const { container } = render(<CodeView text={'x\n'.repeat(3_004)} label="player.py" />);
  expect(container.querySelectorAll('code span')).toHaveLength(3_000);
  expect(screen.getByText(/^5 more lines are not shown/)).toBeTruthy();
});

it('shows a text as text, in a region that the keyboard can scroll', () => {
  render(<CodeView text="<b>bold</b>" label="player.py" />);
  const region = screen.getByRole('region', { name: 'player.py' });
  expect([region.textContent, region.tabIndex]).toEqual(['<b>bold</b>', 0]);
});

it('marks the added and removed lines of a diff, or says that there are none', () => {
  const { container } = render(<DiffView lines={diffTexts('fold\nwait\n', 'call\nwait\n')} />);
  const lines = [...container.querySelectorAll('span')].map(({ textContent, className }) => [textContent, className]);
  expect(lines).toContainEqual(['- fold', 'diff-removed']);
  expect(lines).toContainEqual(['+ call', 'diff-added']);
  expect(lines).toContainEqual(['  wait', '']);
  cleanup();
  render(<DiffView lines={[]} />);
  expect(screen.getByText('No differences.')).toBeTruthy();
});

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
  await vi.waitFor(() => expect(getToasts().at(-1)?.text).toBe('Failed to fetch file contents.'), 10_000);
});

describe('the diff of two submissions', () => {
  it('is empty for equal texts with different line ends', () => expect(diffTexts('a\nb\n', 'a\r\nb\r\n')).toEqual([]));
  it('marks removed and added lines', () => {
    const lines = diffTexts('a\nb\nc\n', 'a\nB\nc\n');
    expect(lines.map((line) => line.kind)).toEqual(['skip', 'same', 'removed', 'added', 'same']);
    expect(lines[2]?.text).toBe('b');
  });
  it('ignores a missing newline at the end', () => {
    expect(diffTexts('a', 'b').map((line) => line.text)).toEqual(['@@ line 1 → line 1 @@', 'a', 'b']);
  });
});
