import type { Assignment } from '@husky/contracts/types/simulation/v1/Assignment';
import type { Context, SimulationHandlers } from '../context.ts';
import { unfetchable } from '../domain/loss.ts';
import type { Lease } from '../store/attempts.ts';
import { blindsOf, findJob, type StoredJob, seedOf } from '../store/jobs.ts';
import { claimNext } from '../store/leases.ts';
import { type Claimant, greetRunner } from '../store/runners.ts';

const longestWaitMs = 25_000;
// Work is told of by NOTIFY; looking now and then covers a notification that was lost with its connection.
const lookMs = 5000;

/** Waits for work and answers without an assignment when there is none in time. */
export function claimMatch(context: Context): SimulationHandlers['claimMatch'] {
  return async (request, call) => {
    const claimant = { runner: request.runner || call.caller.name, version: request.version, totals: request.totals };
    const until = performance.now() + Math.min(Math.max(0, request.waitMs), longestWaitMs);
    await greetRunner(context.pool, claimant, context.now());
    const lease = await waitForWork(context, claimant, until, call.signal);
    return lease ? { assignment: await assignment(context, claimant, lease) } : {};
  };
}

async function waitForWork(
  context: Context,
  claimant: Claimant,
  until: number,
  signal: AbortSignal,
): Promise<Lease | undefined> {
  const { leaseSeconds, weights } = context.settings;
  while (!signal.aborted && !context.waiters.closed) {
    const ticket = context.waiters.enter();
    try {
      const lease = await claimNext(context.pool, claimant, { now: context.now(), leaseSeconds, weights });
      if (lease) {
        context.waiters.wakeOne();
        return lease;
      }
      const leftMs = until - performance.now();
      if (leftMs <= 0) return undefined;
      await ticket.woken(Math.min(leftMs, lookMs), signal);
      // Woken, it looks itself: the wake-up is used.
      ticket.use();
    } finally {
      ticket.leave();
    }
  }
  return undefined;
}

async function assignment(context: Context, claimant: Claimant, lease: Lease): Promise<Assignment> {
  const job = await findJob(context.prisma, lease.jobId);
  if (!job) throw new Error(`job ${lease.jobId} was deleted while it was claimed`);
  return {
    jobId: job.id,
    attempt: lease.attempt,
    leaseToken: await leaseToken(context, claimant, lease, job),
    leaseSeconds: context.settings.leaseSeconds,
    seats: job.seats.map(({ userId, botHash, packagesHash, unfetchedTries, unfetchedCause }) => ({
      userId,
      botHash,
      packagesHash: packagesHash ?? '',
      unfetchable: unfetchable(unfetchedTries, unfetchedCause),
    })),
    numRounds: job.numRounds,
    blinds: blindsOf(job),
    startingStack: job.startingStack,
    rulesVersion: job.rulesVersion,
    seed: await seedOf(context.prisma, job.dealSetId),
    profile: job.profile,
    limits: job.limits as object,
  };
}

/** For this attempt of this match alone, and for what it plays. */
function leaseToken(context: Context, claimant: Claimant, lease: Lease, job: StoredJob): Promise<string> {
  const reads = new Set(job.seats.flatMap((seat) => [seat.botHash, seat.packagesHash ?? '']));
  reads.delete('');
  return context.signer.sign(
    ['simulation', 'submission', 'live-data'],
    { kind: 'lease', ...lease, runner: claimant.runner, reads: [...reads] },
    context.settings.leaseTokenSeconds,
  );
}
