import type { Assignment } from '@husky/contracts/types/simulation/v1/Assignment';
import type { ClaimMatchResponse } from '@husky/contracts/types/simulation/v1/ClaimMatchResponse';
import {
  contextOf,
  currentTraceparent,
  inContextOf,
  recordSpan,
  spanAttribute,
} from '@husky/runtime/telemetry/trace-context';
import { SpanKind } from '@opentelemetry/api';
import type { Context, SimulationHandlers } from '../context.ts';
import { isUnlisted } from '../domain/job.ts';
import { unfetchable } from '../domain/loss.ts';
import { measureWait } from '../metrics.ts';
import { dealKeyOfJob } from '../store/jobs.ts';
import { type Claimant, claimNext, type Lease, registerClaimant } from '../store/leases.ts';
import { blindsOf, findJob, type StoredJob } from '../store/stored-job.ts';

const maxWaitMs = 25_000;
/** Number of runners that a successful claim wakes: more than one, so that many new jobs are claimed in parallel. */
const wakeUpsPerClaim = 2;

/** Leases the next job to a runner, waiting for one up to `wait_ms`. Without a job the response has no assignment. */
export function claimMatch(context: Context): SimulationHandlers['claimMatch'] {
  return async (request, call): Promise<ClaimMatchResponse> => {
    const { version, totals } = request;
    const rulesVersion = Math.max(1, request.rulesVersion);
    const claimant = { runner: request.runner || call.caller.name, version, rulesVersion, totals };
    const waitMs = Math.min(Math.max(0, request.waitMs), maxWaitMs);
    await registerClaimant(context.pool, claimant, context.now());
    const lease = await waitForWork(context, claimant, waitMs, call.signal);
    if (!lease) return {};
    const traced = (job: StoredJob) => recordClaim(job, { ...lease, runner: claimant.runner, now: context.now() });
    return { assignment: await createAssignment(context, claimant.runner, lease, traced) };
  };
}

async function waitForWork(
  context: Context,
  claimant: Claimant,
  waitMs: number,
  signal: AbortSignal,
): Promise<Lease | undefined> {
  const { waiters, settings } = context;
  const { leaseSeconds, weights } = settings;
  const deadline = waiters.nowMs() + waitMs;
  while (!signal.aborted && !waiters.closed) {
    const ticket = waiters.enter();
    try {
      const lease = await claimNext(context.pool, claimant, { now: context.now(), leaseSeconds, weights });
      if (lease) {
        waiters.wake(wakeUpsPerClaim);
        return lease;
      }
      const remainingMs = deadline - waiters.nowMs();
      if (remainingMs <= 0) return undefined;
      await ticket.wait(remainingMs, signal);
      ticket.consumeWakeUp();
    } finally {
      ticket.leave();
    }
  }
  return undefined;
}

/** Returns what a runner needs to play a job, with a lease token for `lease`. `traced` returns the trace to which the play belongs. */
export async function createAssignment(
  context: Context,
  runner: string,
  lease: Lease,
  traced: (job: StoredJob) => string,
): Promise<Assignment> {
  const job = await findJob(context.pool, lease.jobId);
  if (!job) throw new Error(`job ${lease.jobId} was deleted while it was claimed`);
  const [token, key] = await Promise.all([
    signLeaseToken(context, runner, lease, job),
    dealKeyOfJob(context.prisma, job),
  ]);
  return {
    jobId: job.id,
    attempt: lease.attempt,
    leaseToken: token,
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
    seed: key,
    profile: job.profile,
    stacks: job.stacks,
    traceparent: traced(job),
    limits: job.limits as object,
    nowMs: context.now(),
  };
}

/** Signs a lease token, which permits playing this attempt and reading its files. */
function signLeaseToken(context: Context, runner: string, lease: Lease, job: StoredJob): Promise<string> {
  const reads = new Set(job.seats.flatMap((seat) => [seat.botHash, seat.packagesHash ?? '']));
  reads.delete('');
  return context.signer.sign(
    ['simulation', 'submission', 'live-data'],
    { kind: 'lease', ...lease, runner, reads: [...reads] },
    context.settings.leaseTokenSeconds,
  );
}

interface Claim {
  readonly attempt: number;
  readonly runner: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Records the wait in the queue (of the first attempt) and the claim in the job's trace. Returns the claim's traceparent, the
 * parent of the runner's spans.
 */
function recordClaim(job: StoredJob, { attempt, runner, now }: Claim): string {
  const parent = contextOf(job.traceContext);
  const attributes = {
    [spanAttribute.jobId]: job.id,
    [spanAttribute.attempt]: attempt,
    [spanAttribute.runner]: runner,
    'husky.class': job.kind.toLowerCase(),
  };
  if (attempt === 1 && !isUnlisted(job.kind)) measureWait(job.kind, now - job.createdAt.getTime());
  if (attempt === 1) recordSpan('queue', { parent, attributes, startTime: job.createdAt.getTime() }, now);
  const span = recordSpan('claim', { parent, kind: SpanKind.PRODUCER, attributes, startTime: now }, now);
  return inContextOf(span, currentTraceparent);
}
