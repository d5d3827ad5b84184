import { randomUUID } from 'node:crypto';
import type { Settings__Output } from '@husky/contracts/types/simulation/v1/Settings';
import type { Context } from '../context.ts';
import { measureRetention } from '../metrics.ts';
import type { Database } from '../store/database.ts';
import { endRun, type RetentionRule, removeOld } from '../store/retention.ts';
import { pauseAfter } from './each-match.ts';

const dayMs = 24 * 60 * 60 * 1000;
const matchesPerTransaction = 100;
// At most a third of one connection's time, so that matches in play do not wait.
const pauseRatio = 2;

type RetentionContext = Pick<Context, 'log' | 'now' | 'relay' | 'stopping' | 'workLocks'> & { readonly db: Database };
type KeepDays = Pick<Settings__Output, 'keepTestRunsDays' | 'keepLogsDays'>;

/**
 * Applies the rules of the event's settings to ended matches that were opened longer ago than a rule keeps them: one removes hands and
 * logs of private test runs, the other logs and lost attempts of all matches, counted from their last attempt. Public matches and those of
 * batches keep their hands.
 * One replica at a time works, under an advisory lock, in transactions of 100 matches; the next run resumes an interrupted one.
 */
export async function applyRetention(
  context: RetentionContext,
  { keepTestRunsDays, keepLogsDays }: KeepDays,
): Promise<void> {
  const rules: [RetentionRule, number][] = [
    ['test-runs', keepTestRunsDays],
    ['logs', keepLogsDays],
  ];
  if (rules.every(([, days]) => days === 0)) return;
  await context.workLocks.run('retention', async () => {
    const run = { id: randomUUID(), startedAt: new Date(context.now()), keepTestRunsDays, keepLogsDays };
    for (const [rule, days] of rules) if (days > 0) await applyRule(context, rule, days, run);
    await endRun(context.db, run.id, new Date(context.now()));
  });
}

type Run = Parameters<typeof removeOld>[2]['run'];

async function applyRule(context: RetentionContext, rule: RetentionRule, days: number, run: Run): Promise<void> {
  const before = new Date(context.now() - days * dayMs);
  let matches = 0;
  while (!context.stopping.aborted) {
    const startedAt = performance.now();
    const now = new Date(context.now());
    const removed = await removeOld(context.db, rule, { run, before, now, limit: matchesPerTransaction });
    if (removed.matches === 0) break;
    matches += removed.matches;
    measureRetention(rule, removed);
    context.relay.kick();
    await pauseAfter(startedAt, pauseRatio, context.stopping);
  }
  if (matches > 0) context.log.info({ rule, days, matches }, `removed old data of ${matches} matches`);
}
