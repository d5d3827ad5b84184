import { randomUUID } from 'node:crypto';
import type { SimulationServiceDefinition } from '@husky/contracts/types/simulation/v1/SimulationService';
import type { RpcClient } from '@husky/runtime/rpc/grpc-client';
import { expect } from 'vitest';

type Runners = Pick<RpcClient<SimulationServiceDefinition>, 'listRunners' | 'cordonRunners' | 'getBacklog'>;

/**
 * Asserts the behaviour of simulation on which pool relies: the response of CordonRunners shows the change, also of runners that
 * were not seen before, uncordoning an unseen runner does not list it, and the backlog counts the hands of queued matches. `idle`
 * is a runner without a match. Used with simulation itself and with pool's double of it.
 */
export async function expectRunnersContract(
  simulation: Runners,
  { idle, queued }: { readonly idle: string; readonly queued: { readonly jobs: number; readonly hands: number } },
): Promise<void> {
  const find = async (name: string, response = simulation.listRunners({})) =>
    (await response).runners.find((runner) => runner.name === name);
  const lastSeen = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(await find(idle)).toMatchObject({ state: 'IDLE', jobId: '', cordoned: false, lastSeen });
  const unseen = `unseen-${randomUUID()}`;
  // pool treats a listed runner as one that has requested work.
  expect(await find(unseen, simulation.cordonRunners({ names: [unseen], cordoned: false }))).toBeUndefined();
  for (const cordoned of [true, true, false]) {
    for (const name of [idle, unseen]) {
      const changed = await find(name, simulation.cordonRunners({ names: [name], cordoned }));
      expect(changed).toMatchObject({ state: 'IDLE', jobId: '', cordoned, lastSeen });
      expect(await find(name)).toMatchObject({ cordoned });
    }
  }

  const { classes } = await simulation.getBacklog({});
  const match = classes.find(({ kind }) => kind === 'MATCH');
  expect(match).toMatchObject({ queuedJobs: queued.jobs, queuedHands: queued.hands });
  expect(match?.measuredHands).toBeTypeOf('number');
  expect(match?.measuredSeconds).toBeTypeOf('number');
}
