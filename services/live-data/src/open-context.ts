import { simulationService } from '@husky/contracts/services';
import type { OpenService } from '@husky/runtime/process/open-service';
import { WorkGroup } from '@husky/runtime/process/repeat';
import { LRUCache } from 'lru-cache';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { PrismaClient } from './generated/client.ts';
import { Intakes } from './intakes.ts';
import { MatchFeeds } from './match-feed.ts';
import { StandingsWork } from './standings/work/standings-work.ts';
import { ValuesWork } from './standings/work/values-work.ts';
import { WorkLocks } from './store/work-locks.ts';

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
  { now, stopping }: Pick<Context, 'now' | 'stopping'>,
): OpenContext {
  const { log, pool, prisma, messaging, relay } = service;
  const db = { pool, prisma };
  const workLocks = new WorkLocks(config.database);
  return {
    log,
    db,
    workLocks,
    simulation: service.client(simulationService, config.simulationAddress),
    messaging,
    feeds: new MatchFeeds(db, messaging),
    intakes: new Intakes(),
    relay,
    values: new ValuesWork({ db, workLocks, log, stopping }),
    standings: new StandingsWork({ db, log, now, stopping }),
    now,
    stopping,
    results: new LRUCache({ max: maxCachedResults }),
    exports: config.exports,
    exporting: new WorkGroup(),
    play: new LRUCache({ max: maxCachedResults }),
  };
}
