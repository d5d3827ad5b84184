// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInApp, stubApi } from '../../dev/render-in-app.tsx';
import { signIn, signOut } from '../../session/session.ts';
import { Authorings } from './authorings.tsx';

afterEach(async () => {
  cleanup();
  await signOut();
  vi.unstubAllGlobals();
});

const round = {
  ok: true,
  verdict: '<b id="injected">The bot</b> played.',
  bb_per_100: { mean: 12.5, low: -3, high: 28 },
  tokens: { input: 900, output: 100 },
  cost_usd: 0.5,
};
const authoring = (shown: string) => ({
  submission_id: 's1',
  bot_hash: 'ab'.repeat(32),
  shown,
  record: {
    model: 'model-x',
    model_version: 'model-x-2',
    field: ['house'],
    hands: 600,
    prompt: { name: 'husky', version: '1', sha256: 'cd'.repeat(32) },
    rounds: [{ ...round, ok: false, bb_per_100: null, cost_usd: null }, round],
    best_round: 2,
    tokens: { input: 1800, output: 200 },
    cost_usd: 0.5,
  },
});
const rounds = [
  { round: 1, player: 'x = 1\ny = 2\n', requirements: '' },
  { round: 2, player: 'x = 1\ny = "</code><img>"\n', requirements: 'numpy\n' },
];

function show(shown: string) {
  const calls = stubApi((call) => {
    if (call.endsWith('/code')) return Response.json({ rounds });
    return Response.json(call.startsWith('GET') ? { authorings: [authoring(shown)] } : {});
  });
  return { ...renderInApp(<Authorings username="ann" />), calls };
}

it('shows visitors the rounds and the code as text', async () => {
  const { container, calls } = show('code');
  expect(await screen.findByText(/wrote bot/)).toHaveProperty(
    'textContent',
    'model-x (model-x-2) wrote bot abababababab in 2 rounds by the prompt husky 1 (SHA-256 cdcdcdcdcdcd), with 1,800 tokens in, 200 out and $0.5000.',
  );
  const rows = screen.getAllByRole('row').map(({ textContent }) => textContent);
  expect(rows[1]).toBe('1 —<b id="injected">The bot</b> played.1,000—');
  expect(rows[2]).toMatch(/^2 Best\+12\.50-3\.00 to \+28\.00<b/);
  expect(calls).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: /round by round/ }));
  expect(await screen.findByText('Round 2: what changed since round 1')).toBeTruthy();
  expect(screen.getByLabelText('player.py of round 2').textContent).toMatch(/- y = 2\+ y = "<\/code><img>"$/);
  expect(screen.getByLabelText('requirements.txt of round 2').textContent).toContain('+ numpy');
  expect(container.querySelector('#injected, img')).toBeNull();
  expect(screen.queryByLabelText('What everybody sees')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
});

it('lets its author choose what everybody sees, and delete it', async () => {
  const whoami = { username: 'ann', admin: false, is_verified: true };
  stubApi(() => Response.json(whoami));
  await signIn('token');
  const { calls } = show('private');
  expect(await screen.findByText('Private')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('What everybody sees'), { target: { value: 'code' } });
  await vi.waitFor(() => expect(calls).toContain('POST /submission/authoring/show'), 10_000);
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  fireEvent.click((await screen.findAllByRole('button', { name: 'Delete' })).at(-1) as HTMLElement);
  await vi.waitFor(() => expect(calls).toContain('DELETE /submission/s1/authoring'), 10_000);
});
