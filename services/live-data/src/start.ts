import { join } from 'node:path';
import { jobEnded } from '@husky/contracts/events';
import { liveDataService, simulationService } from '@husky/contracts/services';
import type { Lifecycle } from '@husky/runtime/lifecycle';
import { openService } from '@husky/runtime/open-service';
import { LRUCache } from 'lru-cache';
import { access } from './access.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { onJobEnded } from './events/job-ended.ts';
import { makeExports } from './exports/make-exports.ts';
import { Intakes } from './intakes.ts';
import { MatchFeeds } from './match-feed.ts';
import { createHandlers } from './server.ts';
import { StandingsWork } from './standings/work/standings-work.ts';
import { ValuesWork } from './standings/work/values-work.ts';
import { clientOver } from './store/database.ts';
import { applyRetention } from './work/apply-retention.ts';
import { indexOldMatches } from './work/index-old-matches.ts';

// Matches that a replica of an earlier release finishes during an upgrade are indexed by the next run.
const indexIntervalMs = 10 * 60_000;
// Finished matches are computed at once; this finds those without values, see ValuesWork.
const valuesIntervalMs = 60_000;
// Exports of other replicas, and those to remove.
const exportIntervalMs = 30_000;
const retentionIntervalMs = 60 * 60_000;
const migrations = join(import.meta.dirname, '../prisma/migrations');

// Batches and players; a batch of 20 players takes about 60 KB.
const maxCachedResults = 200;

/** Starts the service and returns its port. */
export async function start(
  config: Config,
  life: Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>,
  ownNow?: () => number,
): Promise<number> {
  const service = await openService(config, life, migrations, clientOver);
  const { pool, db: prisma, messaging, relay } = service;
  const now = ownNow ?? service.now;
  const simulation = service.client(simulationService, config.simulationAddress);
  const stopping = new AbortController();
  const db = { prisma, pool };
  const feeds = new MatchFeeds(db, messaging);
  const values = new ValuesWork({ db, log: life.log, stopping: stopping.signal });
  const standings = new StandingsWork({ db, log: life.log, now, stopping: stopping.signal });
  const context: Context = {
    log: life.log,
    db,
    readList: (caller, work) =>
      caller.kind === 'anonymous' ? service.readOld((old) => work({ pool: old.pool, prisma: old.db })) : work(db),
    simulation,
    messaging,
    feeds,
    intakes: new Intakes(),
    relay,
    values,
    standings,
    now,
    stopping: stopping.signal,
    results: new LRUCache({ max: maxCachedResults }),
    exports: config.exports,
    exporting: { kick: () => exporting.kick() },
    play: new LRUCache({ max: maxCachedResults }),
  };
  messaging.consume(jobEnded, 'live_data_job_ended', (event) => onJobEnded(context, event));

  life.onStop('thread of standings', () => standings.close());
  service.repeat('indexing old matches', indexIntervalMs, () => indexOldMatches(context));
  life.onStop('threads of values', () => values.close());
  const computing = service.repeat('computing values', valuesIntervalMs, () => values.run());
  values.onEnqueued(() => computing.kick());
  service.repeat('removing old data', retentionIntervalMs, async () => {
    await applyRetention(context, await simulation.getSettings({}));
  });
  const exporting = service.repeat('making exports', exportIntervalMs, () => makeExports(context));
  const port = await service.serve(liveDataService, access, createHandlers(context));
  // Ends the streams to watchers first, so that the server can close.
  life.onStop('streams', () => stopping.abort());
  return port;
}
