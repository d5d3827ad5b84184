import type { Lifecycle } from '@husky/runtime/process/lifecycle';
import type { OpenService } from '@husky/runtime/process/open-service';
import { workOnChallenges } from '../challenges/work/work-on-challenges.ts';
import type { Context } from '../context.ts';
import type { PrismaClient } from '../generated/client.ts';
import { countSets, expireLadder } from '../ladder/work/count-sets.ts';
import { createSetFormer } from '../ladder/work/form-sets.ts';
import { drawRepetitions } from '../store/repetitions.ts';
import { runTournaments } from '../tournament/work/run-tournaments.ts';
import { runTrials } from '../trials/work/run-trials.ts';
import { workOnBatches } from './batch-worker.ts';
import { createRoundFetcher } from './beacon.ts';
import { createChainChecker } from './chain-checker.ts';
import { createPreparer } from './preparer.ts';
import { listenToQueue } from './queue-listener.ts';
import { sweep } from './sweeper.ts';

const workMs = 1000;
const sweepMs = 3000;
const chainMs = 10_000;
const drawMs = 60_000;
const expireMs = 60_000;

/** Starts the background work. Every replica may run it concurrently. */
export function startWork(service: OpenService<PrismaClient>, life: Pick<Lifecycle, 'onStop'>, context: Context): void {
  const listener = listenToQueue(context.pool, context.waiters, context.log);
  life.onStop('queue listener', () => listener.stop());
  const preparer = createPreparer(context, context.log);
  life.onStop('preparations', () => preparer.settled());
  context.worker.add(service.repeat('preparing jobs', workMs, () => preparer.start()));
  context.worker.add(service.repeat('working on batches', workMs, () => workOnBatches(context)));
  context.worker.add(service.repeat('fetching the beacon', workMs, createRoundFetcher(context)));
  context.worker.add(service.repeat('working on challenges', sweepMs, () => workOnChallenges(context)));
  context.worker.add(service.repeat('running tournaments', workMs, () => runTournaments(context)));
  service.repeat('planning sets of the ladder', workMs, createSetFormer(context));
  service.repeat('counting sets of the ladder', workMs, () => countSets(context));
  context.worker.add(service.repeat('playing trials', workMs, () => runTrials(context)));
  service.repeat('deleting old matches of the ladder', expireMs, () => expireLadder(context));
  service.repeat('checking the chain of commitments', chainMs, createChainChecker(context));
  service.repeat('drawing matches to repeat', drawMs, () => drawRepetitions(context.pool, context.now()));
  service.repeat('sweeping', sweepMs, async () => {
    const failures = await sweep(context);
    if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
  });
}
