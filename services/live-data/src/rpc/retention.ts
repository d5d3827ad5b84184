import type { Retention } from '@husky/contracts/types/live/v1/Retention';
import type { Context, LiveDataHandlers } from '../context.ts';
import { readRetention } from '../store/retention.ts';

/** Returns what the rules of retention have removed. */
export function getRetention(context: Context): LiveDataHandlers['getRetention'] {
  return async (): Promise<Retention> => {
    const { lastRun, sums } = await readRetention(context.db);
    return {
      lastRun: lastRun && {
        startedAt: lastRun.startedAt.toISOString(),
        endedAt: lastRun.endedAt?.toISOString() ?? '',
        keepTestRunsDays: lastRun.keepTestRunsDays,
        keepLogsDays: lastRun.keepLogsDays,
        ...numbersOf(lastRun),
      },
      ...numbersOf(sums),
    };
  };
}

type Sums = { readonly [K in 'testRuns' | 'logMatches' | 'hands' | 'bytes']: bigint | null };

const numbersOf = ({ testRuns, logMatches, hands, bytes }: Sums) => ({
  testRuns: Number(testRuns ?? 0),
  logMatches: Number(logMatches ?? 0),
  hands: Number(hands ?? 0),
  bytes: Number(bytes ?? 0),
});
