import { simulationService } from '@husky/contracts/services';
import { anyone } from '@husky/runtime/rpc/access';
import { createRpcClient } from '@husky/runtime/rpc/grpc-client';
import { testIdentities } from '@husky/testkit/servers';
import { startDouble } from '@husky/testkit/service-double';
import { testLife } from '@husky/testkit/service-under-test';
import { afterEach, expect, test, vi } from 'vitest';
import { createEventSettings } from '../src/event-settings.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('reads the settings again after 3 s, also if the clock was hours ahead at the previous read', async () => {
  let version = 0;
  const simulation = await startDouble(simulationService, anyone, {
    async getSettings() {
      version += 1;
      return { version };
    },
  });
  const client = createRpcClient(simulationService, simulation.address, testIdentities().signerOf('gateway'));
  const settings = createEventSettings(client, testLife('gateway').log);
  const read = async () => (await settings.current())?.version;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 3_600_000 });
  expect(await read()).toBe(1);
  vi.useRealTimers();
  expect(await read()).toBe(1);
  await expect.poll(read, { timeout: 60_000 }).toBe(2);
  client.close();
  await simulation.stop();
});
