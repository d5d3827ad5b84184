import { randomUUID } from 'node:crypto';
import { expectPinsContract } from '@husky/testkit/pins-contract';
import { afterAll, test } from 'vitest';
import { completeBot, files, startService, user } from './start-service.ts';

const service = await startService();
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
