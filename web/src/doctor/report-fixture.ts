import type { BotReport } from '../lib/types.ts';

/** Returns a group of `count` equal faults, the first in hand `hand`. */
export const group = (text: string, count: number, hand = 1, kind = 'exception') => ({
  kind,
  text,
  count,
  first_hand: hand,
  last_hand: hand + count,
  first_step: 5,
  first_game_id: `game-${hand}`,
});

/** Returns the report of a bot without faults, with `more` in place of its fields. */
export const report = (more: Partial<BotReport>): BotReport => ({
  job_id: 'job',
  username: 'ann',
  hands: 10,
  decisions: 9,
  faults: [],
  fault_groups: 0,
  failed_calls: [],
  adjusted: [],
  adjusted_groups: 0,
  worst_hand: null,
  stopped: null,
  times: null,
  limits: null,
  bank_ms: null,
  bank_used_ms: null,
  cpu_ms: 0,
  peak_memory_kib: 0,
  verdict: '',
  log: '',
  notes: [],
  ...more,
});
