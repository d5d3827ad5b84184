import type { simulationService } from '@husky/contracts/services';
import type { Settings__Output } from '@husky/contracts/types/simulation/v1/Settings';
import { messageOf } from '@husky/runtime/errors';
import type { RpcClient } from '@husky/runtime/grpc-client';
import type { Logger } from '@husky/runtime/logger';

type SimulationClient = RpcClient<NonNullable<(typeof simulationService)['definition']>>;

/** How the event is run, for pages that everybody loads. */
export interface EventSettings {
  /** As of at most a few seconds ago; what was known last when simulation is away, undefined when nothing was. */
  current(): Promise<Settings__Output | undefined>;
  forget(): void;
}

const keepMs = 3000;
const askMs = 1500;

export function createEventSettings(simulation: SimulationClient, log: Logger): EventSettings {
  let known: Settings__Output | undefined;
  let until = 0;
  let asking: Promise<Settings__Output | undefined> | undefined;

  async function ask(): Promise<Settings__Output | undefined> {
    try {
      known = await simulation.getSettings({}, { caller: { kind: 'anonymous' }, timeoutMs: askMs });
    } catch (error) {
      log.debug(`the event's settings are those known last: ${messageOf(error)}`);
    }
    until = Date.now() + keepMs;
    return known;
  }

  return {
    async current() {
      if (Date.now() < until) return known;
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
    forget() {
      until = 0;
    },
  };
}
