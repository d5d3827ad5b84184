// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stubApi } from '../dev/render-in-app.tsx';
import { ApiError } from '../lib/api-error.ts';
import { queryKeys } from '../lib/query-keys.ts';
import type { AppConfig } from '../lib/types.ts';
import { BotUpload } from './bot-upload.tsx';
import { FileDrop } from './file-drop.tsx';

const found: { problem: string | null; warnings: string[] } = { problem: null, warnings: [] };
let calls: string[] = [];
beforeEach(() => {
  Object.assign(found, { problem: null, warnings: [] });
  calls = stubApi(() => Response.json(found));
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const METHODS = ['on_start', 'on_round_start', 'get_action', 'on_end_round', 'on_end_game'];
const source = `class SimplePlayer(Bot):\n${METHODS.map((name) => `    def ${name}(self): pass\n`).join('')}`;
const player = new File([source], 'player.py');
const requirements = new File([''], 'requirements.txt');

describe('a file drop', () => {
  const show = (disabled = false) => {
    const onFiles = vi.fn();
    const props = { label: 'Drop here', buttonLabel: 'Choose files', accept: '.py', disabled, onFiles };
    const { container } = render(<FileDrop {...props} />);
    return { onFiles, area: container.firstElementChild as HTMLElement, input: screen.getByLabelText('Choose files') };
  };

  it('accepts dropped and picked files', () => {
    const { onFiles, area, input } = show();
    fireEvent.drop(area, { dataTransfer: { files: [player, requirements] } });
    fireEvent.change(input, { target: { files: [player] } });
    expect(onFiles.mock.calls).toEqual([[[player, requirements]], [[player]]]);
  });
  it('is highlighted while files are dragged over it', () => {
    const { area } = show();
    fireEvent.dragOver(area);
    expect(area.className).toContain('drop-over');
    fireEvent.dragLeave(area);
    expect(area.className).not.toContain('drop-over');
  });
  it('ignores files while disabled, and drops without files', () => {
    const { onFiles, area } = show(true);
    fireEvent.drop(area, { dataTransfer: { files: [player] } });
    cleanup();
    const enabled = show();
    fireEvent.drop(enabled.area, { dataTransfer: { files: [] } });
    expect([...onFiles.mock.calls, ...enabled.onFiles.mock.calls]).toEqual([]);
  });
});

describe('the upload of a bot', () => {
  const show = (upload = vi.fn(async (): Promise<string[]> => []), event: Partial<AppConfig> = {}) => {
    const client = new QueryClient();
    client.setQueryData<AppConfig>(queryKeys.appConfig, { identity: 'own', links: {}, ...event });
    render(
      <QueryClientProvider client={client}>
        <BotUpload cooldownName="t" missingText="Both files, please" submitLabel="Submit Bot" upload={upload} />
      </QueryClientProvider>,
    );
    const choose = (...files: File[]) =>
      fireEvent.change(screen.getAllByLabelText('Choose files')[0] as HTMLElement, { target: { files } });
    const submit = () => fireEvent.submit(screen.getByRole('button', { name: 'Submit Bot' }));
    return { upload, choose, submit };
  };

  it('requires both files', () => {
    const { upload, submit } = show();
    submit();
    expect(screen.getByRole('alert').textContent).toBe('Both files, please');
    expect(upload).not.toHaveBeenCalled();
  });
  it('lists ignored files and findings, and does not send either', async () => {
    const { upload, choose, submit } = show();
    choose(new File([' '], 'player.py'), requirements, new File([''], 'notes.md'));
    expect(await screen.findByText(/^Ignored: notes\.md\./)).toBeTruthy();
    expect(await screen.findByText('Error: player.py is empty')).toBeTruthy();
    submit();
    expect(screen.getByRole('alert').textContent).toContain('player.py is empty');
    expect(upload).not.toHaveBeenCalled();
    expect(calls).toEqual([]);
  });
  it('shows what the server finds in both files before they are sent', async () => {
    Object.assign(found, { problem: 'player.py is no bot.', warnings: ['It imports numpy.'] });
    const { choose } = show();
    choose(player);
    choose(requirements);
    expect(await screen.findByText('Error: player.py is no bot.')).toBeTruthy();
    expect(screen.getByText('Warning: It imports numpy.')).toBeTruthy();
    expect(screen.queryByText('The files look right.')).toBeNull();
    expect(calls).toEqual(['POST /submission/check']);
  });
  it('sends both files, shows the success and starts the cooldown', async () => {
    const { upload, choose, submit } = show();
    choose(player, requirements);
    await screen.findByText('The files look right.');
    submit();
    expect(await screen.findByRole('button', { name: 'Submitted successfully' })).toHaveProperty('disabled', true);
    expect(upload).toHaveBeenCalledWith(player, requirements);
    expect(screen.getByText(/^Please wait \d+s before submitting again$/)).toBeTruthy();
  });
  it('shows the warnings of the server', async () => {
    const { choose, submit } = show(vi.fn(async () => ['It may not load.']));
    choose(player, requirements);
    await screen.findByText('The files look right.');
    submit();
    expect((await screen.findByText('Warning: It may not load.')).parentElement?.getAttribute('aria-label')).toBe(
      'Warnings',
    );
  });
  it('shows the refusal of the server, keeps the files and waits for Retry-After', async () => {
    const refusal = new ApiError({ status: 429, detail: 'Too many test runs.', retryAfter: 17 });
    const { choose, submit } = show(vi.fn(() => Promise.reject(refusal)));
    choose(player, requirements);
    await screen.findByText('The files look right.');
    submit();
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe('Failed to upload submission. Error: Too many test runs.');
    expect(screen.getByRole('button', { name: /^Wait 1[0-7]s$/ })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Remove player.py' })).toBeTruthy();
  });
  it('is disabled while the event is frozen, with the reason and since when', async () => {
    show(undefined, { frozen: true, frozen_since: '2026-12-01T10:00:00Z' });
    const button = screen.getByRole('button', { name: 'Submit Bot' });
    expect(button.hasAttribute('disabled')).toBe(true);
    const note = document.getElementById(button.getAttribute('aria-describedby') ?? '');
    expect(note?.textContent).toMatch(/^The organisers have frozen the event since Dec 1, 2026/);
  });
  it('drops a removed file', async () => {
    const { choose } = show();
    choose(player, requirements);
    fireEvent.click(await screen.findByRole('button', { name: 'Remove player.py' }));
    await waitFor(() => expect(screen.queryByText('The files look right.')).toBeNull());
  });
});
