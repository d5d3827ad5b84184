import { type Repeating, repeat } from '@husky/runtime/process/repeat';
import { messageOf } from '@husky/runtime/rpc/errors';
import { withParty } from '@husky/runtime/rpc/party';
import type { Context } from '../context.ts';
import { type PreparationStep, preparationVerdict } from '../domain/lock.ts';
import { findBot } from '../store/bots.ts';
import {
  endPreparing,
  type PreparingSubmission,
  postponePreparing,
  renewPreparing,
  takePreparing,
} from '../store/preparing.ts';

const leaseMs = 30_000;
const renewMs = 10_000;
const watchMs = 500;
// Each waits in its own line for a place to build (package-preparer.ts).
const maxAtOnce = 64;

/**
 * Prepares the packages of submissions whose upload was answered before. Their state is in the database: each is leased, so that another
 * replica, or this one after a restart, continues after a crash.
 */
export class SubmissionPreparation {
  readonly #context: Context;
  /** The renewal of the lease, by submission. */
  readonly #held = new Map<string, Repeating>();
  #running = 0;
  #stopped = false;
  /** Wakes the work when a place is free. */
  onFree: () => void = () => undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Begins with the next due submission. Returns whether there was one. */
  async next(): Promise<boolean> {
    const { pool, now, log } = this.#context;
    if (this.#stopped || this.#running >= maxAtOnce) return false;
    const submission = await takePreparing(pool, now(), leaseMs);
    if (submission === undefined) return false;
    this.#running += 1;
    const party = { account: submission.userId, address: submission.address };
    void withParty(party, () => this.#prepare(submission))
      .catch((error: unknown) => {
        // The lease expires, and it is tried again.
        if (!this.#stopped) log.warn({ err: error, id: submission.id }, `preparing a submission: ${messageOf(error)}`);
      })
      .finally(() => {
        this.#running -= 1;
        this.onFree();
      });
    return true;
  }

  /** Gives the leases back, so that another process continues at once. Programs in progress are not awaited. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const { pool, now } = this.#context;
    for (const [id, lease] of this.#held) {
      await lease.stop();
      await postponePreparing(pool, id, now());
    }
  }

  async #prepare(submission: PreparingSubmission): Promise<void> {
    const { botCheck, log, pool, prisma, packages, relay, now } = this.#context;
    const { id, tries, failingSince } = submission;
    const bot = await findBot(prisma, submission.botHash);
    if (!bot) return;
    let stepOf = (): PreparationStep => 'waiting';
    const lease = this.#hold(id, () => stepOf());
    const work = async () => {
      const requirements = await botCheck.readStored(bot);
      stepOf = () => packages.stepOf(requirements);
      await packages.prepare(requirements);
    };
    let failure: ReturnType<typeof preparationVerdict> | undefined;
    try {
      await work();
    } catch (error) {
      failure = preparationVerdict(error, tries, now() - (failingSince?.getTime() ?? now()));
    } finally {
      this.#held.delete(id);
      await lease.stop();
    }
    if (this.#stopped) return;
    if (failure === undefined) await endPreparing(pool, submission, 'ready', '');
    else if (failure.refused) await endPreparing(pool, submission, 'refused', failure.reason);
    else {
      log.warn({ id, tries }, `preparing a submission failed, will retry: ${failure.reason}`);
      await postponePreparing(pool, id, now() + failure.afterMs, { reason: failure.reason, at: now() });
    }
    relay.kick();
  }

  /** Renews a lease and records the steps until it is stopped. */
  #hold(id: string, stepOf: () => PreparationStep): Repeating {
    const { log, pool, now } = this.#context;
    let recorded: PreparationStep = 'waiting';
    let renewAt = now() + renewMs;
    const lease = repeat(`renewing the lease of submission ${id}`, watchMs, log, async () => {
      const step = stepOf();
      if (step === recorded && now() < renewAt) return;
      recorded = step;
      renewAt = now() + renewMs;
      await renewPreparing(pool, id, step, now() + leaseMs);
    });
    this.#held.set(id, lease);
    return lease;
  }
}
