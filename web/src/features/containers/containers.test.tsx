// @vitest-environment happy-dom

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryKeys } from '../../lib/query-keys.ts';
import type { Autoscaling, Container } from '../../lib/types.ts';
import { LogViewer } from './log-viewer.tsx';
import { autoscalingChange, countStates, findContainers, readBounds, readTargetSize } from './pool-rules.ts';
import { SandboxList } from './sandbox-panel.tsx';

describe('sandbox panel', () => {
  afterEach(cleanup);

  const runner = (number: number, sandbox: Container['sandbox']): Container => ({
    container_name: `runner-${number}`,
    port: 9000 + number,
    state: 'idle',
    job_id: null,
    sandbox,
  });
  const entries = (containers: Container[]) =>
    [...render(<SandboxList containers={containers} />).container.querySelectorAll('p')].map(
      (paragraph) => paragraph.textContent,
    );

  it('groups runners with equal sandboxes', () => {
    const whole = { means: ['seccomp', 'landlock'], missing: [], lacking: [] };
    expect(entries([runner(1, whole), runner(2, { ...whole }), runner(3, null)])).toEqual([
      'runner-1, runner-2: All means In force: seccomp, landlock.',
      'runner-3: Not known yet See the log.',
    ]);
  });

  it('lists each absent mechanism and marks the required ones', () => {
    const weak = { means: ['limits'], missing: ['seccomp: no filter'], lacking: ['own_uid: the host is not root'] };
    expect(entries([runner(1, weak)])).toEqual([
      'runner-1: 2 absent In force: limits.',
      'Required but missing: seccomp: no filter',
      'Absent: own_uid: the host is not root',
    ]);
  });

  it('names the first runners of a large group and counts the others', () => {
    const whole = { means: ['seccomp'], missing: [], lacking: [] };
    const [text = ''] = entries(Array.from({ length: 1000 }, (_, index) => runner(index, whole)));
    expect(text).toContain('runner-19 and 980 more: All means');
  });
});

describe('pool rules', () => {
  it('accepts only whole sizes of at least 3', () => {
    expect(['3', '12'].map(readTargetSize)).toEqual([3, 12]);
    expect(['2', '-1', '3.5', '', ' ', 'x', 'Infinity'].map(readTargetSize)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  const bounds = { minimum: '3', maximum: '8', drainSeconds: '300' };

  it('accepts valid bounds', () => {
    expect(readBounds(bounds, 16)).toEqual({ minimum: 3, maximum: 8, drainSeconds: 300 });
  });

  it.each([
    [{ minimum: '2' }, 'The minimum must be a whole number of at least 3.'],
    [{ minimum: '3.5' }, 'The minimum must be a whole number of at least 3.'],
    [{ maximum: '17' }, 'The maximum must be a whole number from 3 to 16.'],
    [{ maximum: '' }, 'The maximum must be a whole number from 3 to 16.'],
    [{ minimum: '9' }, 'The maximum must not be below the minimum.'],
    [{ drainSeconds: '' }, 'The backlog must be played within 10 to 86,400 seconds.'],
    [{ drainSeconds: '1e6' }, 'The backlog must be played within 10 to 86,400 seconds.'],
  ])('returns the error for %o', (part, message) => {
    expect(readBounds({ ...bounds, ...part }, 16)).toBe(message);
  });

  it('returns only the changed fields', () => {
    const saved = { minimum: 3, maximum: 8, drain_seconds: 300 } as Autoscaling;
    expect(autoscalingChange({ minimum: 3, maximum: 9, drainSeconds: 60 }, saved)).toEqual({
      maximum: 9,
      drain_seconds: 60,
    });
    expect(autoscalingChange({ minimum: 3, maximum: 8, drainSeconds: 300 }, saved)).toEqual({});
  });

  const thousand = Array.from(
    { length: 1000 },
    (_, index): Container => ({
      container_name: `runner-${index}`,
      port: 20_000 + index,
      state: index % 10 === 0 ? 'active' : 'idle',
      job_id: null,
      sandbox: null,
    }),
  );

  it('finds containers by words of name, port and state', () => {
    const names = (text: string) => findContainers(thousand, text).map(({ container_name: name }) => name);
    expect(names('runner-777')).toEqual(['runner-777']);
    expect(names('20123')).toEqual(['runner-123']);
    expect(names('ACTIVE  runner-99')).toEqual(['runner-990']);
    expect(names('').length).toBe(1000);
  });

  it('counts containers by state', () => {
    expect(countStates(thousand)).toBe('900 idle, 100 active');
    expect(countStates([])).toBe('');
  });
});

describe('log viewer', () => {
  beforeEach(() => {
    // happy-dom has no layout; the virtual list needs a height.
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(352);
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
  });
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  const containers = Array.from(
    { length: 1000 },
    (_, index): Container => ({
      container_name: `runner-${index}`,
      port: 20_000 + index,
      state: index < 3 ? 'active' : 'idle',
      job_id: null,
      sandbox: null,
    }),
  );

  function show(): void {
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
    client.setQueryData(queryKeys.containers, containers);
    render(
      <QueryClientProvider client={client}>
        <LogViewer />
      </QueryClientProvider>,
    );
  }

  it('renders some rows of a thousand containers and offers the first 100; search and state find the others', () => {
    show();
    const select = screen.getByLabelText<HTMLSelectElement>('Container');
    expect(select.options.length).toBe(101);
    screen.getByText('997 idle, 3 active');
    expect(screen.getAllByRole('option', { name: /^runner-\d+ ?(idle|active)/ }).length).toBeLessThan(40);

    fireEvent.change(screen.getByLabelText('Search'), { target: { value: 'runner-789' } });
    expect(select.options.length).toBe(2);
    fireEvent.change(select, { target: { value: '20789' } });
    fireEvent.change(screen.getByLabelText('Search'), { target: { value: '' } });
    fireEvent.change(screen.getByLabelText('State'), { target: { value: 'active' } });
    screen.getByText('3 active');
    expect([...select.options].map(({ text }) => text)).toContain('runner-789 (port 20789, idle)');
    expect(select.value).toBe('20789');
    fireEvent.change(screen.getByLabelText('State'), { target: { value: 'stopping' } });
    screen.getByText('No container matches.');
  });

  it('moves in the list by keys, and Enter fetches the log', async () => {
    const fetched: string[] = [];
    vi.stubGlobal('fetch', async (url: string | URL) => {
      fetched.push(new URL(String(url), 'http://site').pathname);
      const body = {
        success: true,
        message: '',
        container_name: 'runner-999',
        port: 20_999,
        log_content: 'dealer | up\n',
      };
      return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });
    });
    show();
    const list = screen.getByRole('listbox', { name: 'Containers' });
    const current = () => document.getElementById(list.getAttribute('aria-activedescendant') ?? '')?.textContent;
    fireEvent.keyDown(list, { key: 'ArrowDown' });
    fireEvent.keyDown(list, { key: 'ArrowDown' });
    expect(current()).toMatch(/^runner-1active/);
    fireEvent.keyDown(list, { key: 'Home' });
    expect(current()).toMatch(/^runner-0/);
    fireEvent.keyDown(list, { key: 'End' });
    fireEvent.keyDown(list, { key: 'Enter' });
    await screen.findByText('1 lines');
    expect(fetched).toEqual(['/docker/game-log/20999']);
    expect(screen.getByLabelText<HTMLSelectElement>('Container').value).toBe('20999');
  });
});
