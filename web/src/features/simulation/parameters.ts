export type ParameterFields = Record<'num_rounds' | 'blind' | 'blind_multiplier' | 'blind_increase_interval', string>;
export type Parameters = Record<keyof ParameterFields, number>;

export const DEFAULT_FIELDS: ParameterFields = {
  num_rounds: '6',
  blind: '10',
  blind_multiplier: '1.0',
  blind_increase_interval: '1',
};

type Rule = { label: string; min: number; max: number; step: number };

/** Limits of the inputs. The server checks its own (`/sim/async_run_user` in /openapi.json). */
export const RULES: Record<keyof ParameterFields, Rule> = {
  num_rounds: { label: 'Rounds', min: 1, max: 100, step: 1 },
  blind: { label: 'Initial blind', min: 1, max: 60_000, step: 1 },
  blind_multiplier: { label: 'Blind multiplier', min: 0.1, max: 1_000, step: 0.01 },
  blind_increase_interval: { label: 'Blind increase interval', min: 1, max: 10_000, step: 1 },
};

/** Returns the error of one of the four inputs, or ''. */
export function parameterError(name: keyof ParameterFields, text: string): string {
  const rule = RULES[name];
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return `${rule.label} must be a number`;
  if (rule.step === 1 && !Number.isInteger(value)) return `${rule.label} must be a whole number`;
  // 1.15 / 0.01 is not a whole number in floating point; rounded to twelve digits it is.
  const steps = Number((value / rule.step).toPrecision(12));
  if (!Number.isInteger(steps)) return `${rule.label} must be in steps of ${rule.step}`;
  if (value < rule.min) return `${rule.label} must be at least ${rule.min}`;
  if (value > rule.max) return `${rule.label} must be at most ${rule.max.toLocaleString('en-US')}`;
  return '';
}

/** Returns the numbers to send, or null if an input is invalid. */
export function readParameters(fields: ParameterFields): Parameters | null {
  const names = Object.keys(RULES) as (keyof ParameterFields)[];
  if (names.some((name) => parameterError(name, fields[name]) !== '')) return null;
  return Object.fromEntries(names.map((name) => [name, Number(fields[name])])) as Parameters;
}
