// Other services test with doubles of simulation, and simulation with doubles of others. The same contracts test doubles and services.
import { randomUUID } from 'node:crypto';
import { authService, liveDataService, submissionService } from '@husky/contracts/services';
import {
  expectHoldsContract,
  expectMatchAccessContract,
  expectNamesContract,
  expectPinsContract,
  expectRunnersContract,
} from '@husky/testkit/contracts';
import { expectLeaseContract } from '@husky/testkit/dealer-contract';
import { testClient } from '@husky/testkit/servers';
import { expectSimulationContract } from '@husky/testkit/simulation-contract';
import { afterAll, test } from 'vitest';
import { asAdmin, startBatchWorld, users } from './batch-world.ts';
import { startServiceDoubles } from './service-doubles.ts';
import { admin, sixUsers } from './start-service.ts';

const world = await startBatchWorld();
afterAll(() => world.service.stop());

const blinds = { bigBlind: 10, multiplier: '1', interval: 1 };
const newMatch = () =>
  world.service.gateway.createMatch({ userIds: sixUsers(), numRounds: 10, blinds }, { caller: admin });

test('simulation fulfils the contract that pool relies on', async () => {
  const { service } = world;
  await service.claim('idle');
  await newMatch();
  await expectRunnersContract(service.client('pool'), { idle: 'idle', queued: { jobs: 1, hands: 10 } });
  await service.accept(await service.mustClaim());
});

test('simulation fulfils the contract that live-data relies on', async () => {
  const { service } = world;
  await newMatch();
  const { jobId, attempt, seats, numRounds } = await service.mustClaim();
  const playerIds = seats.map(({ userId }) => userId);
  await expectSimulationContract(service.liveData, { jobId, attempt, numRounds, playerIds });
});

test('simulation fulfils the contract that leaderboard relies on', async () => {
  const { service } = world;
  const batchId = await world.createReady(users(7));
  await world.play(3);
  const { jobs } = await service.gateway.listBatchJobs({ batchId, page: 1, pageSize: 7 }, asAdmin);
  const idsOf = (finished: boolean) => jobs.filter(({ status }) => (status === 'FINISHED') === finished);
  await expectHoldsContract(service.client('leaderboard'), {
    finishedJobId: idsOf(true)[0]?.id ?? '',
    unfinishedJobId: idsOf(false)[0]?.id ?? '',
    batchId,
    totalJobs: 7,
    finishedGames: idsOf(true).map(({ gameNumber }) => gameNumber),
  });
  await world.play(4);
});

test('simulation fulfils the contract that runners rely on', async () => {
  await expectLeaseContract(world.service.lease, newMatch);
});

test('the doubles of submission, live-data and auth fulfil the contracts that simulation relies on', async () => {
  const doubles = await startServiceDoubles();
  const { SUBMISSION_ADDRESS, LIVE_DATA_ADDRESS, AUTH_ADDRESS } = doubles.addresses;
  const portOf = (address: string) => Number(address.split(':')[1]);
  const submission = testClient(submissionService, portOf(SUBMISSION_ADDRESS), 'simulation');
  const liveData = testClient(liveDataService, portOf(LIVE_DATA_ADDRESS), 'simulation');
  const withoutFinal = randomUUID();
  doubles.state.withoutFinal.add(withoutFinal);
  const upload = { submissionId: randomUUID(), userId: randomUUID() };
  doubles.state.uploads.set(upload.submissionId, { ...upload, uploadedAt: new Date(0).toISOString() });
  await expectPinsContract(submission, { withFinal: users(2), withoutFinal, upload, player: 'a bot' });
  const known = {
    publicJobId: randomUUID(),
    privateJobId: randomUUID(),
    publicBatchId: randomUUID(),
    privateBatchId: randomUUID(),
  };
  doubles.state.publicJobs.add(known.publicJobId);
  doubles.state.publicBatches.add(known.publicBatchId);
  await expectMatchAccessContract(liveData, known);
  const auth = testClient(authService, portOf(AUTH_ADDRESS), 'simulation');
  await expectNamesContract(
    auth,
    users(2).map((id) => ({ id, username: `name-${id.slice(0, 4)}` })),
  );
  auth.close();
  submission.close();
  liveData.close();
  await doubles.stop();
});
