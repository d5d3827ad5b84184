// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { queryKeys } from '../lib/query-keys.ts';
import type { BotCode, BotFaults, BotReport } from '../lib/types.ts';
import { causeOf, diagnose, foldFaults, sentenceOfRow } from './diagnosis.ts';
import { Doctor } from './doctor.tsx';
import { group, report } from './report-fixture.ts';

describe('doctor', () => {
  afterEach(cleanup);

  const broken = report({
    fault_groups: 1,
    faults: [group('KeyError: 3 (line 2)', 9, 4)],
    worst_hand: { hand: 7, game_id: 'game-7', delta: -1200 },
  });
  const version = (player_file: string) => ({
    bot_hash: 'f',
    first_used_at: '2026-11-01T10:00:00Z',
    player_file,
    requirements_file: '',
  });
  const code = (more: Partial<BotCode> = {}): BotCode => ({
    job_id: 'job',
    username: 'ann',
    version: version('# née ♠\r\nraise KeyError(3)\r\n'),
    previous: null,
    ...more,
  });

  function show(shown: BotReport, found: BotCode | null): void {
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    if (found === null) {
      vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ detail: 'x', reason: 'x' }, { status: 404 })));
    } else {
      client.setQueryData<BotCode>(queryKeys.botCode('job', 'ann'), found);
    }
    render(
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <Doctor report={shown} onRunAgain={() => undefined} />
        </MemoryRouter>
      </QueryClientProvider>,
    );
  }

  it('shows the sentence, the failing line, the first faulty step and the hand that lost most', () => {
    show(broken, code());
    expect(screen.getByText('9 of 9 decisions failed: KeyError 3, line 2.')).toBeTruthy();
    expect(screen.getByText('raise KeyError(3)').tagName).toBe('MARK');
    const link = (name: RegExp) => screen.getByRole('link', { name }).getAttribute('href');
    expect(link(/^First faulty step/)).toBe('/replay/game-4?step=5');
    expect(link(/^Hand that lost most \(#7, -1,200\)/)).toBe('/replay/game-7');
    expect(screen.getByText('No earlier version of this bot is stored to compare with.')).toBeTruthy();
  });

  it('keeps the sentence and the links when the files are not stored any more', async () => {
    show(broken, null);
    expect(await screen.findByText(/^The files of this version are not stored any more/)).toBeTruthy();
    expect(screen.getByText('9 of 9 decisions failed: KeyError 3, line 2.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Run again/ })).toBeNull();
    vi.unstubAllGlobals();
  });

  it('shows no code for a line that the file does not have, and five of twenty reasons', () => {
    const faults = Array.from({ length: 20 }, (_, n) => group(`Error${n}: x (line ${n + 900})`, 20 - n, n + 1));
    show({ ...broken, decisions: 210, faults }, code());
    expect(screen.queryByRole('figure')).toBeNull();
    expect(screen.getAllByRole('listitem')).toHaveLength(6);
    expect(screen.getByText('15 more below.')).toBeTruthy();
  });

  it('says of a bot without faults that no decision failed, and links no faulty step', () => {
    show({ ...broken, faults: [], worst_hand: null }, code({ previous: version('pass') }));
    expect(screen.getByText('No decision failed (9 made).')).toBeTruthy();
    expect(screen.queryAllByRole('link')).toEqual([]);
    expect(screen.getByText(/^Changes since the version of/)).toBeTruthy();
  });

  it('offers the commands that repeat the first faulty hand at home', async () => {
    show(broken, code());
    expect(await screen.findByText('husky download job')).toBeTruthy();
    expect(screen.getByText('husky replay match-job.jsonl --hand 4')).toBeTruthy();
    expect(screen.getByText('husky debug player.py --match match-job.jsonl --hand 4')).toBeTruthy();
  });

  it('offers no commands for a match without faults', async () => {
    show({ ...broken, faults: [] }, code());
    expect(await screen.findByText(/Hand that lost most/)).toBeTruthy();
    expect(screen.queryByText(/husky debug/)).toBeNull();
  });
});

describe('diagnosis', () => {
  const row = (more: Partial<BotFaults>): BotFaults => ({
    decisions: 9,
    failed: 9,
    by_kind: {},
    failed_calls: 0,
    never_started: false,
    stopped_by: null,
    summary: 'failed 9 of 9 decisions: it raised an exception',
    first: null,
    ...more,
  });
  const first = (text: string | null) => ({ kind: 'exception', hand: 1, step: 3, game_id: 'g', text });

  describe('the sentence about a bot', () => {
    it('names failed decisions, exception and line', () => {
      expect(sentenceOfRow(row({ first: first('KeyError: 3 (line 20)') }))).toBe(
        '9 of 9 decisions failed: KeyError 3, line 20',
      );
      const { sentence, line } = diagnose(report({ faults: [group('KeyError: 3 (line 20)', 9)] }));
      expect([sentence, line]).toEqual(['9 of 9 decisions failed: KeyError 3, line 20', 20]);
    });
    it('says nothing about the text to those who may not read it', () =>
      expect(sentenceOfRow(row({ first: first(null) }))).toBe('9 of 9 decisions failed'));
    it('folds one exception with different messages, and counts other reasons', () => {
      const faults = [
        group('KeyError: 3 (line 20)', 4, 2),
        group('KeyError: 4 (line 20)', 3, 1),
        group('a timeout', 2, 5, 'timeout'),
      ];
      expect(foldFaults(faults).map(({ what, count, variants, hand }) => [what, count, variants, hand])).toEqual([
        ['KeyError 3', 7, 1, 1],
        ['a timeout', 2, 0, 5],
      ]);
      expect(diagnose(report({ faults })).sentence).toBe(
        '9 of 9 decisions failed: KeyError 3, line 20, and 1 other reason',
      );
    });
    it('names the cause, not the folds that follow from it', () => {
      const faults = [
        group('is disabled for the rest of the match', 6, 4, 'disabled'),
        group('KeyError: 3 (line 20)', 3),
      ];
      const { sentence, faults: shown } = diagnose(report({ faults }));
      expect(sentence).toBe('9 of 9 decisions failed: KeyError 3, line 20');
      expect(shown).toHaveLength(1);
    });
    it('names a failed on_start instead of the faults that follow in the same hand', () => {
      const call = {
        method: 'on_start',
        text: 'IndexError: list index out of range (line 15)',
        count: 9,
        first_hand: 1,
      };
      const failed_calls = [{ ...call, first_game_id: 'g' }];
      const { sentence, line } = diagnose(
        report({ faults: [group('AttributeError: hand (line 20)', 9)], failed_calls }),
      );
      expect([sentence, line]).toEqual([
        '9 of 9 decisions failed: on_start IndexError: list index out of range, line 15',
        15,
      ]);
    });
    it('survives twenty kinds of faults, and texts that are not ASCII', () => {
      const faults = Array.from({ length: 20 }, (_, n) => group(`Érror${n}: ключ ♠ (line ${n + 1})`, 20 - n));
      expect(diagnose(report({ decisions: 210, faults })).sentence).toBe(
        '210 of 210 decisions failed: Érror0: ключ ♠, line 1, and 19 other reasons',
      );
    });
    it('names why a bot never started', () => {
      const stopped = { kind: 'startup', text: "SyntaxError: '(' was never closed (line 7)" };
      const faults = [group('could not be started', 9, 1, 'startup')];
      expect(diagnose(report({ stopped, faults }))).toEqual({
        sentence: "The bot never started: SyntaxError '(' was never closed, line 7",
        failed: true,
        faults: [],
        line: 7,
      });
      expect(sentenceOfRow(row({ never_started: true, first: first('ImportError: x (line 1)') }))).toBe(
        'The bot never started: ImportError x, line 1',
      );
    });
    it('names failed calls of other methods, and that nothing failed', () => {
      const call = { method: 'on_start', text: 'ValueError: x (line 3)', count: 1, first_hand: 1, first_game_id: 'g' };
      expect(diagnose(report({ failed_calls: [call] }))).toMatchObject({
        sentence: '1 call of other methods failed: on_start ValueError: x, line 3',
        line: 3,
      });
      expect(diagnose(report({}))).toMatchObject({
        sentence: 'No decision failed (9 made)',
        failed: false,
        line: null,
      });
      expect(diagnose(report({ decisions: 0 })).sentence).toBe('The bot was never asked for a decision');
      expect(sentenceOfRow(undefined)).toBe('');
    });
  });

  describe('the cause in a text', () => {
    it.each([
      ['KeyError: 3 (line 20)', { what: 'KeyError 3', line: 20 }],
      ['ZeroDivisionError: a: b (line 2)', { what: 'ZeroDivisionError a: b', line: 2 }],
      ['did not answer in time', { what: 'did not answer in time', line: null }],
      ['', { what: '', line: null }],
    ])('%s', (text, cause) => expect(causeOf(text)).toEqual(cause));
  });
});
