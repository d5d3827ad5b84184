import { type ServiceProcess, startService } from '@husky/testkit/service-process';
import { afterEach, expect, test } from 'vitest';

let service: ServiceProcess | undefined;
afterEach(() => service?.stop());

test('starts with its variables only, becomes ready and shuts down gracefully', async () => {
  service = await startService('leaderboard', { SIMULATION_ADDRESS: '127.0.0.1:1' });
  expect(await service.end()).toEqual([0, null]);
}, 60_000);
