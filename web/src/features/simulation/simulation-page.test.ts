import { describe, expect, it } from 'vitest';
import { DEFAULT_FIELDS, parameterError, readParameters } from './simulation-page.tsx';

describe('the parameters of a simulation', () => {
  it('have defaults', () => {
    expect(readParameters(DEFAULT_FIELDS)).toEqual({
      num_rounds: 6,
      blind: 10,
      blind_multiplier: 1,
      blind_increase_interval: 1,
    });
  });
  it('are checked against their limits', () => {
    expect(parameterError('num_rounds', '0')).toBe('Rounds must be at least 1');
    expect(parameterError('num_rounds', '101')).toBe('Rounds must be at most 100');
    expect(parameterError('num_rounds', '2.5')).toBe('Rounds must be a whole number');
    expect(parameterError('blind', '-1')).toBe('Initial blind must be at least 1');
    expect(parameterError('blind_multiplier', '0.09')).toBe('Blind multiplier must be at least 0.1');
    expect(parameterError('blind_multiplier', '1.25')).toBe('');
    for (const text of ['1.005', '0.101', '1e-3', '999.999']) {
      expect(parameterError('blind_multiplier', text)).toBe('Blind multiplier must be in steps of 0.01');
    }
    const steps = Array.from({ length: 99_991 }, (_, index) => String((index + 10) / 100));
    expect(steps.filter((text) => parameterError('blind_multiplier', text) !== '')).toEqual([]);
    expect(parameterError('blind', '1000000000')).toBe('Initial blind must be at most 60,000');
    expect(parameterError('blind_increase_interval', '')).toBe('Blind increase interval must be a number');
  });
  it('are null if one is invalid', () => expect(readParameters({ ...DEFAULT_FIELDS, blind: 'x' })).toBeNull());
});
