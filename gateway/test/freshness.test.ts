import { simulationService } from '@husky/contracts/services';
import { anyone } from '@husky/runtime/rpc/access';
import { createRpcClient } from '@husky/runtime/rpc/grpc-client';
import { testIdentities } from '@husky/testkit/servers';
import { startDouble } from '@husky/testkit/service-double';
import { testLife } from '@husky/testkit/service-under-test';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEventSettings } from '../src/event-settings.ts';
import { Freshness } from '../src/routes/live/freshness.ts';

describe('event settings', () => {
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
});

describe('freshness', () => {
  beforeEach(
    () =>
      void vi.useFakeTimers({
        now: Date.UTC(2026, 10, 23),
        toFake: ['setInterval', 'clearInterval', 'Date', 'performance'],
      }),
  );
  afterEach(() => void vi.useRealTimers());

  function start() {
    const delays: number[] = [];
    const freshness = new Freshness((delayMs) => void delays.push(Math.round(delayMs)));
    onTestFinished(() => freshness.stop());
    return { freshness, delays };
  }

  const playedAgo = (ms: number) => new Date(Date.now() - ms).toISOString();

  test('records each second the largest delay of the hands that were written', () => {
    const { freshness, delays } = start();
    freshness.received(playedAgo(3_600_000));
    freshness.written();
    vi.advanceTimersByTime(1000);
    expect(delays, 'hands that were stored before are not late').toEqual([]);
    freshness.progress();
    for (const ms of [300, 700, 400]) {
      freshness.received(playedAgo(ms));
      freshness.written();
    }
    vi.advanceTimersByTime(1000);
    freshness.progress();
    vi.advanceTimersByTime(1000);
    expect(delays, 'a second without hands is a fresh one').toEqual([700, 0]);
  });

  test('a hand that has arrived and is not written is late as long as that lasts', () => {
    const { freshness, delays } = start();
    freshness.progress();
    freshness.received(playedAgo(500));
    for (let second = 0; second < 4; second++) {
      vi.advanceTimersByTime(1000);
      freshness.progress();
    }
    expect(delays).toEqual([1500, 2500, 3500, 4500]);
    freshness.written();
    vi.advanceTimersByTime(1000);
    expect(delays.slice(4)).toEqual([4500]);
  });

  test('a stream of which nothing is heard is late as long as that lasts', () => {
    const { freshness, delays } = start();
    freshness.progress();
    vi.advanceTimersByTime(6000);
    expect(delays).toEqual([0, 1000, 2000, 3000, 4000, 5000]);
    freshness.progress();
    vi.advanceTimersByTime(1000);
    expect(delays.at(-1)).toBe(0);
  });

  test('a reader who does not read counts for nothing', () => {
    const { freshness, delays } = start();
    freshness.progress();
    freshness.pause();
    vi.advanceTimersByTime(10_000);
    freshness.resume();
    vi.advanceTimersByTime(1000);
    expect(delays).toEqual([0]);
  });

  test('records the hands of a match that is over before the second is', () => {
    const { freshness, delays } = start();
    freshness.progress();
    freshness.received(playedAgo(200));
    freshness.written();
    freshness.stop();
    freshness.stop();
    vi.advanceTimersByTime(5000);
    expect(delays).toEqual([200]);
  });
});
