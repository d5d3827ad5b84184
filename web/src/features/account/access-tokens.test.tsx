// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AccessToken } from '../../lib/types.ts';
import { AccessTokens } from './access-tokens.tsx';

const laptop: AccessToken = {
  id: 't1',
  name: 'laptop',
  scopes: ['read', 'submit'],
  created_at: '2026-11-20T10:00:00Z',
  expires_at: '2999-11-20T10:00:00Z',
  last_used_at: null,
};
const secret = `husky_${'x'.repeat(43)}`;

let tokens: AccessToken[];
let sent: { method: string; path: string; body: unknown }[];

beforeEach(() => {
  tokens = [laptop, { ...laptop, id: 't0', name: 'old', expires_at: '2026-01-01T00:00:00Z' }];
  sent = [];
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(new URL(input instanceof Request ? input.url : input, 'http://site.test'), init);
    const { pathname } = new URL(request.url);
    if (request.method === 'GET') return Response.json({ tokens });
    const text = await request.text();
    sent.push({ method: request.method, path: pathname, body: text === '' ? undefined : JSON.parse(text) });
    if (request.method === 'DELETE') {
      tokens = tokens.filter(({ id }) => !pathname.endsWith(id));
      return Response.json({ message: 'Access token revoked' });
    }
    if (tokens.length >= 3) return Response.json({ detail: 'You have too many', reason: 'x' }, { status: 400 });
    const created = { ...laptop, id: 't2', name: 'CI' };
    tokens = [created, ...tokens];
    return Response.json({ ...created, secret }, { status: 201 });
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <AccessTokens />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

it('lists tokens with scopes, last use and expiry', async () => {
  show();
  const row = (await screen.findByText('laptop')).closest('tr');
  expect(row?.textContent).toContain('read, submit');
  expect(row?.textContent).toContain('never');
  expect(screen.getByText('old').closest('tr')?.textContent).toContain('expired');
});

it('refuses a form without a name or a scope before it calls the server', async () => {
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Create token' }));
  expect(await screen.findByText('Please give the token a name')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Name of the token'), { target: { value: 'CI' } });
  for (const label of [/Read my jobs/, /Upload and test/]) fireEvent.click(screen.getByLabelText(label));
  fireEvent.click(screen.getByRole('button', { name: 'Create token' }));
  expect(await screen.findByText('Please choose at least one scope')).toBeTruthy();
  expect(sent).toEqual([]);
});

it('shows the secret of a new token once, with the command that stores it', async () => {
  show();
  fireEvent.change(await screen.findByLabelText('Name of the token'), { target: { value: ' CI ' } });
  fireEvent.change(screen.getByLabelText('Expires after'), { target: { value: '90' } });
  fireEvent.click(screen.getByLabelText(/Upload and test/));
  fireEvent.click(screen.getByRole('button', { name: 'Create token' }));
  const dialog = await screen.findByRole('dialog', { name: 'Your new access token' });
  expect(dialog.textContent).toContain(secret);
  expect(dialog.textContent).toContain(`husky login --site ${location.origin}`);
  expect(sent).toEqual([
    { method: 'POST', path: '/auth/tokens', body: { name: 'CI', scopes: ['read'], expires_in_days: 90 } },
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'I have saved it' }));
  await waitFor(() => expect(document.body.textContent).not.toContain(secret));
  expect(await screen.findByText('CI')).toBeTruthy();
});

it("shows the server's refusal of a new token", async () => {
  tokens.push({ ...laptop, id: 't3', name: 'third' });
  show();
  fireEvent.change(await screen.findByLabelText('Name of the token'), { target: { value: 'one more' } });
  fireEvent.click(screen.getByRole('button', { name: 'Create token' }));
  expect(await screen.findByText('You have too many')).toBeTruthy();
});

it('revokes a token after a confirmation that names it', async () => {
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Revoke the token laptop' }));
  const dialog = screen.getByRole('dialog', { name: 'Revoke access token' });
  expect(dialog.textContent).toContain('laptop');
  expect(sent).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(screen.queryByText('laptop')).toBeNull());
  expect(sent).toEqual([{ method: 'DELETE', path: '/auth/tokens/t1', body: undefined }]);
});
