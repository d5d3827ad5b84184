// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HandList } from './hand-list.tsx';

const players = ['ann', 'ben'];
const pots = [20, 400, 60];
const hands = pots.map((_, index) => ({ game_id: `g${index + 1}`, game_uuid: String(index + 1) }));
const series = [
  { name: 'ann', values: [10, -190, -220] },
  { name: 'ben', values: [-10, 190, 220] },
];
// Hand 2: all-in and showdown on the river; hand 3: a fault of ann.
const columns = { job_id: 'j', players, pots, flags: [0, 15, 1], winners: [1, 2, 2], faults: [0, 0, 1] };
const page = pots.map((pot, index) => ({
  game_id: `g${index + 1}`,
  hand_number: index + 1,
  pot,
  street: 'flop',
  showdown: index === 1,
  all_in: index === 1,
  board: index === 1 ? ['Ah', 'Kd', 'Tc', '2s', '2h'] : [],
  winners: [],
  nets: [],
  faults: [],
  net: null,
  winning_hand: index === 1 ? 'One Pair, Twos' : null,
}));

function show(path = '/games/j') {
  const list = <HandList jobId="j" hands={hands} series={series} running={false} batchLabel="Batch 7" />;
  const router = createMemoryRouter([{ path: '/games/j', element: list }], { initialEntries: [path] });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

beforeEach(() => {
  // happy-dom has no layout; the virtual list needs a height.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
  vi.stubGlobal('fetch', async (url: string | URL) => {
    const body = String(url).includes('/columns') ? columns : { job_id: 'j', players, hands: page };
    return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const shown = () => screen.getAllByRole('listitem').map(({ id }) => id);

describe('the list of hands', () => {
  it('shows winner, pot, street, marks and board of each hand', async () => {
    show();
    await screen.findByText('One Pair, Twos');
    screen.getByRole('img', { name: /^Board: Ace of hearts, King of diamonds/ });
    const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(rows[0]).toMatch(/Hand #1.*Batch 7.*ann.*Pre-flop.*Pot \$20/);
    expect(rows[1]).toMatch(/ben.*Showdown.*ALL-IN.*Pot \$400/);
    expect(rows[2]).toMatch(/Flop.*FAULT/);
  });

  it("sorts by a player's losses and keeps the filters in the address", async () => {
    const router = show('/games/j?gameNumber=3');
    await screen.findByText('One Pair, Twos');
    fireEvent.change(screen.getByLabelText('Player'), { target: { value: 'ann' } });
    fireEvent.click(await screen.findByRole('button', { name: 'Biggest losses' }));
    await vi.waitFor(() => expect(shown()).toEqual(['game-2', 'game-3']), 10_000);
    expect(Object.fromEntries(new URLSearchParams(router.state.location.search))).toEqual({
      gameNumber: '3',
      order: 'loss',
      player: 'ann',
      net: 'loss',
    });
    expect(screen.getByRole('status').textContent).toBe('2 of 3 hands');
    fireEvent.click(screen.getByRole('button', { name: 'Faults' }));
    await vi.waitFor(() => expect(shown()).toEqual(['game-3']), 10_000);
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    await vi.waitFor(() => expect(shown()).toEqual(['game-1', 'game-2', 'game-3']), 10_000);
  });

  it('jumps to a number and clears filters that leave it out', async () => {
    show('/games/j?all_in=1');
    await vi.waitFor(() => expect(shown()).toEqual(['game-2']), 10_000);
    const jump = screen.getByLabelText('Jump to hand');
    fireEvent.change(jump, { target: { value: '9' } });
    fireEvent.click(screen.getByRole('button', { name: 'Jump' }));
    screen.getByText('Type a number from 1 to 3.');
    fireEvent.change(jump, { target: { value: '3' } });
    fireEvent.click(screen.getByRole('button', { name: 'Jump' }));
    await vi.waitFor(() => expect(document.querySelector('.hand-row-marked')?.id).toBe('game-3'), 10_000);
    expect(shown()).toHaveLength(3);
  });

  it('has a slider over the pots that names the hand', async () => {
    show();
    await screen.findByText('One Pair, Twos');
    const slider = screen.getByRole('slider', { name: /Jump to a hand/ });
    fireEvent.change(slider, { target: { value: '2' } });
    await vi.waitFor(() => expect(slider.getAttribute('aria-valuetext')).toBe('Hand 2, pot $400, all-in'), 10_000);
  });

  it('says so when no hand passes the filters', () => {
    show('/games/j?min_pot=5000');
    screen.getByText('No hand passes these filters');
  });
});
