import { simulationService } from '@husky/contracts/services';
import type { Logger } from '@husky/runtime/logger';
import type { OpenService } from '@husky/runtime/open-service';
import { WorkGroup } from '@husky/runtime/repeat';
import { LRUCache } from 'lru-cache';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { PrismaClient } from './generated/client.ts';
import { Intakes } from './intakes.ts';
import { MatchFeeds } from './match-feed.ts';
import { StandingsWork } from './standings/work/standings-work.ts';
import { ValuesWork } from './standings/work/values-work.ts';

// Batches and players; a batch of 20 players takes about 60 KB.
const maxCachedResults = 200;

/** The context with the background work in it, which startWork starts. */
export interface OpenContext extends Context {
  readonly values: ValuesWork;
  readonly standings: StandingsWork;
  readonly exporting: WorkGroup;
}

/** Creates the dependencies of every RPC and event handler. `stopping` aborts at shutdown. */
export function openContext(
  service: OpenService<PrismaClient>,
  config: Config,
  { log, now, stopping }: { readonly log: Logger; readonly now: () => number; readonly stopping: AbortSignal },
): OpenContext {
  const { messaging, relay } = service;
  const db = { prisma: service.db, pool: service.pool };
  return {
    log,
    db,
    readList: (caller, work) =>
      caller.kind === 'anonymous' ? service.readOld((old) => work({ pool: old.pool, prisma: old.db })) : work(db),
    simulation: service.client(simulationService, config.simulationAddress),
    messaging,
    feeds: new MatchFeeds(db, messaging),
    intakes: new Intakes(),
    relay,
    values: new ValuesWork({ db, log, stopping }),
    standings: new StandingsWork({ db, log, now, stopping }),
    now,
    stopping,
    results: new LRUCache({ max: maxCachedResults }),
    exports: config.exports,
    exporting: new WorkGroup(),
    play: new LRUCache({ max: maxCachedResults }),
  };
}
