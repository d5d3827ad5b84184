import { randomUUID } from 'node:crypto';
import { simulationService } from '@husky/contracts/services';
import { expectHoldsContract } from '@husky/testkit/holds-contract';
import { testClient } from '@husky/testkit/servers';
import { test } from 'vitest';
import { startSimulationDouble } from './simulation-double.ts';

test('the double of simulation fulfils the contract that leaderboard relies on', async () => {
  const simulation = await startSimulationDouble();
  const client = testClient(simulationService, Number(simulation.address.split(':')[1]), 'leaderboard');
  const [finishedJobId, unfinishedJobId, batchId] = [randomUUID(), randomUUID(), randomUUID()];
  const results = [{ userId: randomUUID(), delta: 5 }];
  simulation.jobs.set(finishedJobId, { id: finishedJobId, status: 'FINISHED', results });
  simulation.jobs.set(unfinishedJobId, { id: unfinishedJobId, status: 'RUNNING' });
  const games = [1, 3].map((gameNumber) => ({ jobId: randomUUID(), gameNumber, results }));
  simulation.batches.set(batchId, { total: 4, games });
  const finishedGames = games.map(({ gameNumber }) => gameNumber);
  await expectHoldsContract(client, { finishedJobId, unfinishedJobId, batchId, totalJobs: 4, finishedGames });
  client.close();
  await simulation.stop();
});
