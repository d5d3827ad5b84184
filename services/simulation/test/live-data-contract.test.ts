import { expectSimulationContract } from '@husky/testkit/simulation-contract';
import { afterAll, beforeAll, test } from 'vitest';
import { admin, sixUsers, startService, type TestService } from './start-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test('simulation fulfils the contract that live-data relies on', async () => {
  const userIds = sixUsers();
  const blinds = { bigBlind: 10, multiplier: '1', interval: 1 };
  await service.gateway.createMatch({ userIds, numRounds: 10, blinds }, { caller: admin });
  const { jobId, attempt, seats, numRounds } = await service.mustClaim();
  await expectSimulationContract(service.liveData, {
    jobId,
    attempt,
    numRounds,
    playerIds: seats.map(({ userId }) => userId),
  });
});
