import { describe, expect, it } from 'vitest';
import type { BotFaults } from '../lib/types.ts';
import { causeOf, diagnose, foldFaults, sentenceOfRow } from './diagnosis.ts';
import { group, report } from './report-fixture.ts';

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
    const call = { method: 'on_start', text: 'IndexError: list index out of range (line 15)', count: 9, first_hand: 1 };
    const failed_calls = [{ ...call, first_game_id: 'g' }];
    const { sentence, line } = diagnose(report({ faults: [group('AttributeError: hand (line 20)', 9)], failed_calls }));
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
    expect(diagnose(report({}))).toMatchObject({ sentence: 'No decision failed (9 made)', failed: false, line: null });
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
