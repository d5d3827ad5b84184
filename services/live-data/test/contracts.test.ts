// Other services test with doubles of live-data, and live-data with a double of simulation. The same contracts test both.
import { randomUUID } from 'node:crypto';
import { simulationService } from '@husky/contracts/services';
import { expectMatchAccessContract } from '@husky/testkit/contracts';
import { expectDeliveryContract } from '@husky/testkit/dealer-contract';
import { testClient } from '@husky/testkit/servers';
import { expectSimulationContract } from '@husky/testkit/simulation-contract';
import { afterAll, expect, test } from 'vitest';
import { playMatch } from './play.ts';
import { admin, leaseOf, startLiveData } from './service.ts';
import { newMatch, startSimulation } from './simulation.ts';

const live = await startLiveData();
afterAll(() => live.stop());

test('live-data fulfils the contract that runners rely on', async () => {
  const match = newMatch({ numRounds: 8 });
  live.simulation.put(match);
  const { chunks, records, digest } = playMatch(match, { chunkHands: 4 });
  await expectDeliveryContract(live.runner, {
    chunks: chunks.map(({ bytes }) => bytes),
    hands: records.length,
    digest,
    lease: { caller: leaseOf(match) },
  });
});

test('live-data fulfils the contract that simulation relies on', async () => {
  const publicBatchId = randomUUID();
  const privateBatchId = randomUUID();
  const { match: open } = await live.finishMatch({ numRounds: 4, batchId: publicBatchId });
  const { match: hidden } = await live.finishMatch({ numRounds: 4, batchId: privateBatchId });
  await live.gateway.setBatchVisibility({ batchId: publicBatchId, public: true }, { caller: admin });
  const known = { publicJobId: open.jobId, privateJobId: hidden.jobId, publicBatchId, privateBatchId };
  await expectMatchAccessContract(live.runner, known);
});

test('the double of simulation fulfils the contract that live-data relies on', async () => {
  const simulation = await startSimulation();
  const client = testClient(simulationService, Number(simulation.address.split(':')[1]), 'live-data');
  const match = newMatch();
  simulation.put(match, { status: 'RUNNING', attempt: 1 });
  await expectSimulationContract(client, { ...match, attempt: 1 });
  expect(simulation.accepted).toHaveLength(2);
  client.close();
  await simulation.stop();
});
