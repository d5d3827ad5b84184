import { simulationService } from '@husky/contracts/services';
import { expectRunnersContract } from '@husky/testkit/contracts';
import { testClient } from '@husky/testkit/servers';
import { test } from 'vitest';
import { startSimulation } from './simulation.ts';

test('the double of simulation fulfils the contract that pool relies on', async () => {
  const simulation = await startSimulation();
  const client = testClient(simulationService, Number(simulation.address.split(':')[1]), 'pool');
  simulation.runners.set('idle', { state: 'IDLE', cordoned: false });
  simulation.backlog = { jobs: 1, hands: 10 };
  await expectRunnersContract(client, { idle: 'idle', queued: { jobs: 1, hands: 10 } });
  client.close();
  await simulation.stop();
});
