// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Downloads } from './downloads.tsx';
import { getToasts } from './toasts.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Replaces the network: the response to HEAD and to GET. */
function serve(head: Response, get: Response) {
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit) => {
    calls.push(`${method} ${url}`);
    return method === 'HEAD' ? head : get;
  });
  const clicked: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    clicked.push(`${this.getAttribute('href')} ${this.download}`);
  });
  return { calls, clicked };
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

it('lets the browser download a public match to disk', async () => {
  const { calls, clicked } = serve(new Response(), new Response());
  render(<Downloads of={{ match: 'm 1' }} />);
  press('Download as PHH');
  await vi.waitFor(() => expect(clicked).toEqual(['/live/job/m%201/download?format=phh ']), 10_000);
  expect(calls).toEqual(['HEAD /live/job/m%201/download?format=phh']);
});

it('fetches a private batch itself', async () => {
  const { calls, clicked } = serve(new Response(null, { status: 404 }), new Response('zip'));
  render(<Downloads of={{ batch: 3 }} />);
  press('Download as CSV');
  await vi.waitFor(() => expect(clicked.map((text) => text.split(' ')[1])).toEqual(['batch-3-csv.zip']), 10_000);
  expect(calls[1]).toBe('GET /batches/3/download?format=csv');
});

it("shows the server's reason of a refusal, and can be pressed again", async () => {
  const detail =
    'Too many downloads are running for your account (at most 4): please wait until one has ended and try again';
  const refusal = () => new Response(JSON.stringify({ detail, reason: 'too-many-downloads' }), { status: 429 });
  serve(refusal(), refusal());
  render(<Downloads of={{ match: 'm' }} />);
  press('Download as JSON lines');
  await vi.waitFor(() => expect(getToasts().at(-1)?.text).toBe(`Failed to download. ${detail}`), 10_000);
  await vi.waitFor(
    () => expect(screen.getByRole('button', { name: 'Download as CSV' })).toHaveProperty('disabled', false),
    10_000,
  );
});
