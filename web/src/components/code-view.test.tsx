// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { diffTexts } from '../lib/diff-lines.ts';
import { CodeView } from './code-view.tsx';
import { DiffView } from './diff-view.tsx';

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
