import { randomUUID } from 'node:crypto';
import { expectPinsContract } from '@husky/testkit/pins-contract';
import { afterAll, beforeAll, test } from 'vitest';
import { completeBot, files, startService, type TestService, user } from './start-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test('submission fulfils the contract that simulation relies on', async () => {
  const withFinal = [randomUUID(), randomUUID()];
  for (const id of withFinal) {
    const caller = user(id);
    const { id: submissionId } = await service.gateway.upload(files(), { caller });
    await service.gateway.markFinal({ submissionId }, { caller });
  }
  await expectPinsContract(service.simulation, { withFinal, withoutFinal: randomUUID(), player: completeBot });
});
