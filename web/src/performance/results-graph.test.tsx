// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ResultsGraph } from './results-graph.tsx';

afterEach(cleanup);

const players = Array.from({ length: 20 }, (_, index) => ({
  name: `${'W'.repeat(30)}${index + 10}`,
  values: [0, 1000 - index * 100],
}));

it('draws one line and one label for each of 20 players, and describes the end for screen readers', () => {
  const { container } = render(<ResultsGraph points={[0, 1716]} lines={players} />);
  expect(container.querySelectorAll('.results-line')).toHaveLength(20);
  expect(screen.getAllByRole('button')).toHaveLength(20);
  const name = screen.getByRole('img').getAttribute('aria-label');
  expect(name).toMatch(/^Cumulative winnings over 1,716 matches\. W+10 \+1,000, W+11 \+900/);
});

it('highlights the line of a focused name and shows its value; a click keeps it', () => {
  const { container } = render(<ResultsGraph points={[0, 1716]} lines={players} />);
  const button = screen.getByRole('button', { name: players[3]?.name ?? '' });
  const active = () =>
    [...container.querySelectorAll('.results-line')].findIndex((line) =>
      line.classList.contains('results-line-active'),
    );
  fireEvent.focus(button);
  expect(active()).toBe(3);
  expect(container.querySelector('.results-readout')?.textContent).toContain('+$700 after 1,716 of 1,716 matches');
  fireEvent.click(button);
  fireEvent.blur(button);
  expect([active(), button.getAttribute('aria-pressed')]).toEqual([3, 'true']);
  fireEvent.click(button);
  expect(active()).toBe(-1);
});

it('draws a single match and a player who never won or lost', () => {
  const { container } = render(<ResultsGraph points={[0, 1]} lines={[{ name: 'ann', values: [0, 0] }]} />);
  expect(container.querySelector('.results-line')?.getAttribute('d')).toBe('M0.0 400.0L1000.0 400.0');
});
