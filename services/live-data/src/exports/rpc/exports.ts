import type { DataExport } from '@husky/contracts/types/live/v1/DataExport';
import type { ExportBytes } from '@husky/contracts/types/live/v1/ExportBytes';
import type { ExportPlan } from '@husky/contracts/types/live/v1/ExportPlan';
import type { ListExportsResponse } from '@husky/contracts/types/live/v1/ListExportsResponse';
import { DEFAULT_DATA_LICENSE } from '@husky/runtime/process/data-license';
import { isLowerCaseUuid, uuidOfText } from '@husky/runtime/process/uuid';
import type { Caller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Call } from '@husky/runtime/rpc/grpc-server';
import { currentParty } from '@husky/runtime/rpc/party';
import { readsPrivateExports } from '../../access.ts';
import type { Context, LiveDataHandlers } from '../../context.ts';
import { batchNotFound } from '../../domain/refusals.ts';
import { publicBatches } from '../../store/batch-visibility.ts';
import { type ExportInput, MAX_MATCHES, parseScope, periodOf, type Scope, signatureOf } from '../domain/scope.ts';
import { readPart } from '../store/archives.ts';
import {
  type Export,
  endExport,
  findCurrent,
  findExport,
  listExports as listStored,
  matchDeleted,
  matchPrivate,
  readMatches,
  scopeOf,
  selectMatches,
} from '../store/exports.ts';
import { insertExport, type Quota } from '../store/start-export.ts';

const dayMs = 86_400_000;
const maxListed = 20;
// Limits of an account that is not an admin's, and of the address of visitors: open exports, and started ones within 24 hours.
const maxOpen = 2;
const maxPerDay = 10;
/** Seconds until a refused user may retry; an export of some hundred matches takes about as long. */
const openRetryS = 15;
// Access is checked again after this many bytes of a download.
const checkIntervalBytes = 8 << 20;

/** Returns the players and batches of the matches that an export would contain now. */
export function planExport(context: Context): LiveDataHandlers['planExport'] {
  return async (request, call): Promise<ExportPlan> => {
    const { matches } = await select(context, parseScope(request), readsPrivateExports(call.caller));
    const batchIds = new Set(matches.map(({ batchId }) => batchId).filter((id) => id !== null));
    return {
      playerIds: [...new Set(matches.flatMap(({ playerIds }) => playerIds))],
      batchIds: [...batchIds],
      matches: matches.length,
      hands: matches.reduce((sum, { hands }) => sum + hands, 0),
    };
  };
}

/** Starts an export, or returns the current one of the same data. Limits the exports that an account or an address starts. */
export function startExport(context: Context): LiveDataHandlers['startExport'] {
  return async (request, { caller }): Promise<DataExport> => {
    const { db } = context;
    const asAdmin = readsPrivateExports(caller);
    if (request.scope === null) throw new DomainError('INVALID_ARGUMENT', 'no-scope', 'Name a batch or a period.');
    const scope = parseScope(request.scope);
    const { matches, unfinished } = await select(context, scope, asAdmin);
    const input: ExportInput = {
      names: Object.fromEntries(request.players.map(({ userId, username }) => [userId, username])),
      batches: Object.fromEntries(
        request.batches.map(({ batchId, batchNumber, metadataJson }) => [
          batchId,
          { number: batchNumber, metadata: metadataJson },
        ]),
      ),
      site: request.site,
      license: request.license || DEFAULT_DATA_LICENSE,
      ...(scope.batchId === null && scope.ladder && { ladder: scope.ladder }),
    };
    const signature = signatureOf(scope, matches, unfinished, input);
    const known = await findCurrent(db, signature);
    if (known !== null) return present(context, known, caller);
    const forPublic = matches.every(({ isPublic }) => isPublic);
    const jobIds = matches.map(({ jobId }) => jobId);
    const { address } = currentParty();
    const added = {
      scope,
      signature,
      jobIds,
      forPublic,
      createdBy: ownerOf(caller, address),
      createdFrom: address,
      input,
    };
    const started = await insertExport(db, added, asAdmin ? undefined : quotaAt(context.now()));
    context.exporting.kick();
    return present(context, started, caller);
  };
}

/** Returns the id under which exports are counted: of a verified account, otherwise one made of the address. */
function ownerOf(caller: Caller, address: string): string {
  return caller.kind === 'user' && caller.verified ? caller.id : uuidOfText(`visitor ${address}`);
}

/** Selects the matches of a scope. Throws NOT_FOUND for a private batch, PERMISSION_DENIED for the ladder, unless the caller is an admin. */
async function select(context: Context, scope: Scope, asAdmin: boolean) {
  if (scope.batchId !== null) await checkBatch(context, scope.batchId, asAdmin);
  const ladder = scope.batchId === null && scope.ladder === true;
  if (ladder && !asAdmin) {
    throw new DomainError('PERMISSION_DENIED', 'admins-only', "Only admins export the ladder's matches.");
  }
  const found = await selectMatches(context.db, scope, MAX_MATCHES + 1);
  const { matches } = found;
  if (matches.length === 0) {
    const message =
      scope.batchId === null
        ? `No ${ladder ? 'ladder' : 'public'} match of this period is finished.`
        : 'No match of this batch is finished yet. Please try again later.';
    throw new DomainError('FAILED_PRECONDITION', 'nothing-to-export', message);
  }
  if (matches.length > MAX_MATCHES) {
    const message = `An export has at most ${MAX_MATCHES} matches. Please choose a shorter period.`;
    throw new DomainError('FAILED_PRECONDITION', 'too-many-matches', message);
  }
  if (!asAdmin && matches.some(({ isPublic }) => !isPublic)) {
    throw new DomainError('FAILED_PRECONDITION', 'private-matches', 'Not all matches of this batch are public.');
  }
  return found;
}

async function checkBatch(context: Context, batchId: string, asAdmin: boolean): Promise<void> {
  if (asAdmin || (await publicBatches(context.db.pool, [batchId])).length > 0) return;
  throw batchNotFound();
}

function quotaAt(now: number): Quota {
  return {
    since: new Date(now - dayMs),
    limit: maxPerDay,
    check({ open, blockingStart }) {
      if (open < maxOpen && blockingStart === null) return;
      const message =
        open >= maxOpen
          ? `${maxOpen} exports that you started are being made. Please wait until one is ready.`
          : `You have started ${maxPerDay} exports within 24 hours. Please try again later.`;
      const nextStart = (blockingStart?.getTime() ?? now) + dayMs;
      const retryAfterS = open >= maxOpen ? openRetryS : Math.ceil((nextStart - now) / 1000);
      throw new DomainError('RESOURCE_EXHAUSTED', 'too-many-exports', message, { retryAfterS });
    },
  };
}

/** Lists the exports of a batch, or of periods, that the caller may read. */
export function listExports(context: Context): LiveDataHandlers['listExports'] {
  return async (request, { caller }): Promise<ListExportsResponse> => {
    const batchId = request.scope?.batchId || null;
    if (batchId !== null) {
      if (!isLowerCaseUuid(batchId)) throw batchNotFound();
      await checkBatch(context, batchId, readsPrivateExports(caller));
    }
    const exports: DataExport[] = [];
    for (const stored of await listStored(context.db, batchId, maxListed)) {
      const current = await refresh(context, stored);
      if (await mayRead(context, current, caller)) exports.push(await present(context, current, caller));
    }
    return { exports };
  };
}

export function getExport(context: Context): LiveDataHandlers['getExport'] {
  return async (request, { caller }): Promise<DataExport> =>
    present(context, await findReadable(context, request.id, caller), caller);
}

/** Streams bytes of a ready archive. Reads the export again every 8 MiB: throws when it was dropped meanwhile. */
export function downloadExport(context: Context): LiveDataHandlers['downloadExport'] {
  return async function* (request, { caller }): AsyncGenerator<ExportBytes> {
    const { id, offset, length } = request;
    const found = await findReadable(context, id, caller);
    if (found.state !== 'ready') throw notReady(found);
    const end = Math.min(found.bytes, length > 0 ? offset + length : found.bytes);
    if (offset < 0 || offset > found.bytes)
      throw new DomainError('OUT_OF_RANGE', 'bad-range', 'The archive is shorter.');
    let checkedAt = offset;
    for (let at = offset; at < end; ) {
      if (at - checkedAt >= checkIntervalBytes) {
        const current = await findReadable(context, id, caller);
        if (current.state !== 'ready') throw notReady(current);
        checkedAt = at;
      }
      const part = await readPart(context.db, id, at);
      if (part === null || at >= part.start + part.bytes.length) throw notReady({ ...found, state: 'dropped' });
      const bytes = part.bytes.subarray(at - part.start, Math.min(part.bytes.length, end - part.start));
      yield { bytes: Buffer.from(bytes) };
      at += bytes.length;
    }
  };
}

function notReady({ state, problem }: Export): DomainError {
  if (state === 'waiting' || state === 'running') {
    return new DomainError(
      'FAILED_PRECONDITION',
      'export-not-ready',
      'The export is being made. Please try again later.',
    );
  }
  return new DomainError('FAILED_PRECONDITION', 'export-ended', problem || 'The export was removed.');
}

/** Returns an export that the caller may see. Throws NOT_FOUND. */
async function findReadable(context: Context, id: string, caller: Call['caller']): Promise<Export> {
  const stored = isLowerCaseUuid(id) ? await findExport(context.db, id) : null;
  if (stored !== null) {
    const current = await refresh(context, stored);
    if (await mayRead(context, current, caller)) return current;
  }
  throw new DomainError('NOT_FOUND', 'export-not-found', 'Export not found');
}

const isCurrent = ({ state }: Export) => state === 'waiting' || state === 'running' || state === 'ready';

/** Returns an export, and drops it first if a match was deleted or made private, so that readers need not wait for the background job. */
async function refresh({ db, now, exporting }: Context, stored: Export): Promise<Export> {
  if (!isCurrent(stored)) return stored;
  const { complete, isPublic } = await readMatches(db, stored.id);
  const problem = complete ? (stored.forPublic && !isPublic ? matchPrivate : '') : matchDeleted;
  if (problem === '') return stored;
  const endedAt = new Date(now());
  await endExport(db, stored.id, 'dropped', problem, endedAt);
  exporting.kick();
  return { ...stored, state: 'dropped', problem, bytes: 0, endedAt };
}

/** Returns whether a caller may see an export: admins all, others those of public matches. `present` leaves out details of ended ones. */
async function mayRead({ db }: Context, found: Export, caller: Call['caller']): Promise<boolean> {
  if (readsPrivateExports(caller)) return true;
  if (!isCurrent(found)) return found.forPublic;
  return found.forPublic || (await readMatches(db, found.id)).isPublic;
}

async function present(context: Context, found: Export, caller: Call['caller']): Promise<DataExport> {
  const { id, state, problem, createdAt, endedAt } = found;
  const head = { id, state, problem, createdAt: createdAt.toISOString(), endedAt: endedAt?.toISOString() ?? '' };
  // The matches of an ended export may be private by now.
  if (!isCurrent(found) && !readsPrivateExports(caller)) return head;
  const scope = scopeOf(found);
  const expires = state === 'ready' && endedAt !== null ? endedAt.getTime() + context.exports.keepDays * dayMs : null;
  return {
    ...head,
    scope: scope.batchId === null ? periodOf(scope) : { batchId: scope.batchId },
    batchNumber: found.input.batches[found.batchId ?? '']?.number ?? 0,
    matches: found.jobIds.length || found.matches,
    matchesDone: found.matchesDone,
    hands: found.hands,
    bytes: found.bytes,
    expiresAt: expires === null ? '' : new Date(expires).toISOString(),
  };
}
