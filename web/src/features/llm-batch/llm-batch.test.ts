import { describe, expect, it } from 'vitest';
import { budgetError, DEFAULT_OPTIONS, optionsToSend, stopToSend } from './batch-options.tsx';
import { combinations, combinationsText, parseMetadata, timeLeftText } from './batch-rules.ts';
import { metadataTemplate, metadataWarnings } from './metadata-editor.tsx';

describe('batch options', () => {
  it('sends nothing by default', () => expect(optionsToSend(DEFAULT_OPTIONS)).toEqual({}));

  it('sends mode, design and budget', () => {
    expect(optionsToSend({ ...DEFAULT_OPTIONS, mode: 'duplicate', design: 'balanced', budget: '600000' })).toEqual({
      mode: 'duplicate',
      design: 'balanced',
      hand_budget: 600_000,
    });
  });

  it('carries the stacks of a duplicate batch with a stopping rule', () => {
    const options = { ...DEFAULT_OPTIONS, mode: 'duplicate' as const };
    expect(optionsToSend({ ...options, stop: 'all' })).toEqual({ mode: 'duplicate', stacks: 'carry' });
    expect(optionsToSend({ ...DEFAULT_OPTIONS, stop: 'all' })).toEqual({});
  });

  it('refuses a balanced design without a valid budget', () => {
    for (const budget of ['', '0', '-5', '1.5', 'x']) {
      expect(optionsToSend({ ...DEFAULT_OPTIONS, design: 'balanced', budget })).toBeNull();
    }
    expect(budgetError('')).toBe('');
    expect(budgetError('1.5')).toBe('The budget must be a whole number of hands');
  });

  it('sends a stopping rule for all pairs or for two chosen users', () => {
    const roster = ['ann', 'bob', 'cem'];
    expect(stopToSend(DEFAULT_OPTIONS, roster)).toEqual({});
    expect(stopToSend({ ...DEFAULT_OPTIONS, stop: 'all' }, roster)).toEqual({ stop_rule: {} });
    const pair = { ...DEFAULT_OPTIONS, stop: 'pair' as const, first: 'ann', second: 'cem', margin: '20' };
    expect(stopToSend(pair, roster)).toEqual({ stop_rule: { users: ['ann', 'cem'], margin: 20 } });
    expect(stopToSend({ ...pair, second: 'ann' }, roster)).toBeNull();
    expect(stopToSend({ ...pair, second: 'zoe' }, roster)).toBeNull();
    expect(stopToSend({ ...pair, margin: '-1' }, roster)).toBeNull();
  });
});

describe('batch rules', () => {
  describe('the text below the batch roster', () => {
    it('has the number of combinations', () => {
      expect(combinationsText(5)).toBe('Will generate 0 combinations');
      expect(combinationsText(13)).toBe('Will generate 1,716 combinations');
    });
  });

  describe('the input of metadata', () => {
    it('is valid when empty', () => expect(parseMetadata(' \n')).toEqual({ value: null, error: '' }));
    it('is valid as a JSON object', () => {
      expect(parseMetadata('{"batch_number": 7}')).toEqual({ value: { batch_number: 7 }, error: '' });
    });
    it('shows the parse error otherwise', () => {
      expect(parseMetadata('{bad').error).toMatch(/^Invalid JSON format: ./);
      for (const text of ['[]', '7', 'null', '"x"'])
        expect(parseMetadata(text).error).toBe('The metadata must be a JSON object');
    });
  });

  describe('the time left of a batch', () => {
    it('has a suitable unit', () => {
      expect([40, 60, 119, 3_599, 3_600, 7_500].map(timeLeftText)).toEqual([
        '40 s left',
        '1 min left',
        '2 min left',
        '1 h 0 min left',
        '1 h 0 min left',
        '2 h 5 min left',
      ]);
    });
    it('is empty while unknown', () => expect([null, 0].map(timeLeftText)).toEqual(['', '']));
  });

  describe('the number of combinations', () => {
    it('is correct for the sizes of batches', () => {
      expect([5, 6, 7, 8, 13, 20].map((n) => combinations(n, 6))).toEqual([0, 1, 7, 28, 1_716, 38_760]);
    });
    it('is 0 for invalid arguments', () => {
      expect([combinations(-1, 6), combinations(3, 6), combinations(6.5, 6), combinations(6, -1)]).toEqual([
        0, 0, 0, 0,
      ]);
    });
    it('is exact for 200 users', () => expect(combinations(200, 6)).toBe(82_408_626_300));
  });
});

describe('metadata editor', () => {
  const users = ['ann', 'bob'];
  const complete = {
    model: { name: 'model-x', version: '2', provider: 'Example' },
    prompt: 'Win.',
    cost_usd: 1.5,
    created_on: '2026-11-01',
  };

  it('accepts complete entries and free metadata without bots', () => {
    expect(metadataWarnings({ bots: { ann: complete, bob: { model: { name: 'y' } } } }, users)).toEqual([]);
    expect(metadataWarnings({ batch_number: 7, anything: [1] }, users)).toEqual([]);
  });

  it('names each part that differs', () => {
    const bots = {
      ann: { model: { name: 'x', version: 2 }, prompt: '', cost_usd: -1, created_on: '1 May' },
      bob: { prompt: 'Win.' },
      cem: complete,
    };
    expect(metadataWarnings({ bots }, users)).toEqual([
      'model.version of ann is not a text.',
      'prompt of ann is not a text.',
      'cost_usd of ann is not a number from 0.',
      'created_on of ann is not a day such as 2026-11-01.',
      'The entry of bob has no model.name.',
      'cem does not play in this batch.',
    ]);
    expect(metadataWarnings({ bots: [] }, users)).toEqual(['bots is not an object with an entry for each user.']);
    expect(metadataWarnings({ bots: { ann: 1 } }, users)).toEqual(['The entry of ann is not an object.']);
  });

  it('adds what is missing and keeps what is there', () => {
    const { bots, ...rest } = metadataTemplate({ batch_number: 7, bots: { ann: complete } }, users);
    expect(rest).toEqual({ batch_number: 7 });
    expect(bots).toMatchObject({ ann: complete, bob: { model: { name: '' } } });
  });
});
