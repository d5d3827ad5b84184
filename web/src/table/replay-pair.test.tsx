// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ReplayPair } from './replay-pair.tsx';
import { actions, blinds, gameOf, sampleLog } from './sample-log.ts';
import { SilentWorker } from './silent-worker.ts';

const handOf = (text: string) => gameOf(sampleLog([[...blinds, ...actions(text)]], {}));

beforeEach(() => void vi.stubGlobal('Worker', SilentWorker));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('steps both hands with one control, as far as the longer one goes', () => {
  const hands = [
    { label: 'A', game: handOf('2 FOLD 0, 0 FOLD 0') },
    { label: 'B', game: handOf('2 CALL 10, 0 CALL 5, 1 CHECK 0') },
  ] as const;
  render(<ReplayPair hands={hands} />);
  const lines = () => screen.getAllByRole('figure').map((figure) => within(figure).getByText(/\.$/).textContent);
  for (let step = 0; step < 3; step++) fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  const [a, b] = lines();
  expect(a).toMatch(/folds/);
  expect(b).toMatch(/calls/);
  while (!(screen.getByRole('button', { name: 'Next' }) as HTMLButtonElement).disabled)
    fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  expect(lines()[0]).toMatch(/wins/);
});
