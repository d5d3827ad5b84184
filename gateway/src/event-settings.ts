import type { simulationService } from '@husky/contracts/services';
import type { Settings__Output } from '@husky/contracts/types/simulation/v1/Settings';
import type { Logger } from '@husky/runtime/process/logger';
import { outsideOfCall } from '@husky/runtime/rpc/call-context';
import type { RpcClient } from '@husky/runtime/rpc/grpc-client';

type SimulationClient = RpcClient<NonNullable<(typeof simulationService)['definition']>>;

/** Caches the event's settings for pages that everybody loads. */
export interface EventSettings {
  /** Returns settings at most 3 s old. While simulation is unavailable, returns the last known ones, or undefined. */
  current(): Promise<Settings__Output | undefined>;
  /** Whether there was a tournament when the settings were read last. */
  hasTournaments(): boolean;
  /** Makes the next call of `current` read the settings again. */
  forget(): void;
}

const cacheMs = 3000;
const timeoutMs = 1500;

export function createEventSettings(simulation: SimulationClient, log: Logger): EventSettings {
  let known: Settings__Output | undefined;
  let hasTournaments = false;
  let untilMs = 0;
  let request: Promise<Settings__Output | undefined> | undefined;

  async function fetchSettings(): Promise<Settings__Output | undefined> {
    try {
      const as = { caller: { kind: 'anonymous' as const }, timeoutMs };
      known = await simulation.getSettings({}, as);
      hasTournaments = (await simulation.listTournaments({}, as)).tournaments.length > 0;
    } catch (error) {
      log.debug({ err: error }, 'reading the settings of the event failed, using the last known ones');
    }
    untilMs = performance.now() + cacheMs;
    return known;
  }

  return {
    async current() {
      if (performance.now() < untilMs) return known;
      request ??= outsideOfCall(fetchSettings).finally(() => {
        request = undefined;
      });
      return request;
    },
    hasTournaments: () => hasTournaments,
    forget() {
      untilMs = 0;
    },
  };
}
