import { simulationService } from '@husky/contracts/services';
import { testClient } from '@husky/testkit/servers';
import { expectSimulationContract } from '@husky/testkit/simulation-contract';
import { expect, test } from 'vitest';
import { newMatch, startSimulation } from './simulation.ts';

test('the double of simulation fulfils the contract of simulation', async () => {
  const simulation = await startSimulation();
  const client = testClient(simulationService, Number(simulation.address.split(':')[1]), 'live-data');
  const match = newMatch();
  simulation.put(match, { status: 'RUNNING', attempt: 1 });
  await expectSimulationContract(client, { ...match, attempt: 1 });
  expect(simulation.accepted).toHaveLength(2);
  client.close();
  await simulation.stop();
});
