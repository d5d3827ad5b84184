import { createAdmission } from '@husky/runtime/rpc/admission';
import { outsideOfCall } from '@husky/runtime/rpc/call-context';
import { DomainError } from '@husky/runtime/rpc/errors';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import { asVisitor } from './lists.ts';
import type { SubjectKind, SubjectReader } from './pages.ts';
import {
  readBatch,
  readGames,
  readHand,
  readHome,
  readMatch,
  readPlayer,
  readTournament,
  type Subject,
} from './subjects.ts';

/** A cached result; undefined is cached too. */
interface Cached {
  readonly subject: Subject | undefined;
}

const cacheMs = 15_000;
// They list matches, each of which can become private.
const listCacheMs = 1000;
const lists: readonly SubjectKind[] = ['home', 'games', 'player', 'batch'];
const maxCached = 1000;
// Pages have no rate limit, so the reads that they cause are limited.
const reads = { limit: () => 8, share: { account: 1 / 2, address: 1 / 2 } };
const ids: Readonly<Record<SubjectKind, RegExp>> = {
  home: /^$/,
  games: /^$/,
  match: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  replay: /^[\w-]{8,80}$/,
  player: /^[\w-]{3,32}$/,
  batch: /^[1-9]\d{0,8}$/,
  tournament: /^[a-z0-9-]{1,50}$/,
};

const readers = new WeakMap<Context, SubjectReader>();

/** Returns the subject reader of a gateway. Pages and pictures share it. */
export function subjectReaderOf(context: Context): SubjectReader {
  const known = readers.get(context);
  if (known) return known;
  const created = createSubjectReader(context);
  readers.set(context, created);
  return created;
}

/**
 * Creates a reader of what an anonymous caller may know about the subject of a page. It caches results for 15 s, those with lists of
 * matches and the visibility of a match for 1 s. It returns undefined for private, unknown and deleted subjects, when a service fails, and while too many
 * subjects are being read.
 */
function createSubjectReader(context: Context): SubjectReader {
  const read: Record<SubjectKind, (id: string) => Promise<Subject | undefined>> = {
    home: () => readHome(context),
    games: () => readGames(context),
    match: (id) => readMatch(id, context),
    replay: (id) => readHand(id, context),
    player: (id) => readPlayer(id, context),
    batch: (number) => readBatch(number, context),
    tournament: (slug) => readTournament(slug, context),
  };
  const admission = createAdmission(reads);
  const cache = new LRUCache<string, Cached, SubjectKind>({
    max: maxCached,
    ttl: cacheMs,
    async fetchMethod(key, _stale, { context: kind, options }) {
      if (lists.includes(kind)) options.ttl = listCacheMs;
      return { subject: await outsideOfCall(() => read[kind](key.slice(kind.length + 1))) };
    },
  });

  async function isReadable({ jobId, batchId }: Subject): Promise<boolean> {
    if (jobId !== undefined) return withinPageTimeout(context.publicResponses.canRead(jobId));
    if (batchId === undefined) return true;
    return (await context.liveData.listPublicBatches({ batchIds: [batchId] }, asVisitor)).batchIds.includes(batchId);
  }

  return async (kind, given) => {
    const id = kind === 'match' ? given.toLowerCase() : given;
    if (!ids[kind].test(id)) return undefined;
    // All requests of a page without an id share one read.
    const leave = id === '' ? () => undefined : await admission.enter(kind).catch(() => undefined);
    if (leave === undefined) return undefined;
    try {
      const subject = (await cache.fetch(`${kind} ${id}`, { context: kind }))?.subject;
      return subject && (await isReadable(subject)) ? subject : undefined;
    } catch (error) {
      if (!(error instanceof DomainError))
        context.log.warn({ err: error, kind }, 'reading the subject of a page failed');
      return undefined;
    } finally {
      leave();
    }
  };
}

/** Returns the result of a read, or false after the time that a page waits. Other requests share the read and may wait longer. */
async function withinPageTimeout(reading: Promise<boolean>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(late.resolve, asVisitor.timeoutMs, false);
  return Promise.race([reading, late.promise]).finally(() => clearTimeout(timer));
}
