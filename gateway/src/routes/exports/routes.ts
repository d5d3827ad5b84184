import type { DataExport__Output } from '@husky/contracts/types/live/v1/DataExport';
import type { ExportScope } from '@husky/contracts/types/live/v1/ExportScope';
import type { Caller } from '@husky/runtime/rpc/caller';
import type { Context } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import { type Route, route } from '../../http/route.ts';
import { jobParams, pathName } from '../../http/schema.ts';
import { sendFile } from '../../http/send-file.ts';
import { findBatch } from '../batches/routes.ts';
import { metadataOf } from '../live/standings-models.ts';
import { dataExport, dataExports, parseRange, period } from './schema.ts';

// Selecting 10,000 matches takes seconds on a busy machine.
const startTimeoutMs = 30_000;
const accepted = 202;

/** Returns the routes for exports. `publicUrl`: the site's address in manifests; `license`: of the data. */
export function exportRoutes(publicUrl: string, license: string): Route[] {
  const siteOf = (page: string) => ({ site: new URL(page, publicUrl).href, license });
  return [
    route('POST /batches/{number}/exports', {
      access: 'anyone',
      summary: 'Start an export of a batch: Parquet and PHH. Returns the existing one if nothing has changed',
      params: pathName('number'),
      response: dataExport,
      successStatus: accepted,
      refusals: [400, 404, 429],
      async handle({ params, context, caller }) {
        const { id } = await findBatch(params.number ?? '', context, caller);
        return startExport({ batchId: id }, siteOf(`/batches/${params.number}`), context, caller);
      },
    }),
    route('GET /batches/{number}/exports', {
      access: 'anyone',
      summary: 'The exports of a batch, newest first',
      params: pathName('number'),
      response: dataExports,
      refusals: [404],
      async handle({ params, context, caller }) {
        const { id } = await findBatch(params.number ?? '', context, caller);
        const { exports } = await context.liveData.listExports({ scope: { batchId: id } }, { caller });
        return { exports: exports.map(present) };
      },
    }),
    route('POST /live/exports', {
      access: 'anyone',
      summary:
        "Start an export of the public matches that began on these days, for admins also of the ladder's. Returns the existing one if nothing has changed",
      body: period.strict(),
      response: dataExport,
      successStatus: accepted,
      refusals: [400, 403, 429],
      handle: ({ body, context, caller }) => startExport(body, siteOf('/data'), context, caller),
    }),
    route('GET /live/exports', {
      access: 'anyone',
      summary: 'The exports of periods, newest first',
      response: dataExports,
      async handle({ context, caller }) {
        const { exports } = await context.liveData.listExports({}, { caller });
        return { exports: exports.map(present) };
      },
    }),
    route('GET /live/exports/{id}', {
      access: 'anyone',
      summary: 'State and progress of an export',
      params: jobParams,
      response: dataExport,
      refusals: [404],
      handle: async ({ params, context, caller }) => present(await context.liveData.getExport(params, { caller })),
    }),
    route('GET /live/exports/{id}/download', {
      access: 'anyone',
      summary: 'The zip archive of a ready export; a Range header requests a part of it',
      params: jobParams,
      response: 'file',
      contentTypes: ['application/zip'],
      refusals: [400, 404, 409, 416, 429],
      handle: ({ params, context, caller, token, address, koa }) =>
        sendFile(koa, context.downloads.open({ caller, token, address }), async (signal) => {
          const found = await context.liveData.getExport(params, { caller });
          if (found.state !== 'ready') throw notReady(found);
          const tag = `"${found.id}"`;
          const condition = koa.get('if-range');
          const range = parseRange(condition === '' || condition === tag ? koa.get('range') : '', found.bytes);
          const { offset, length, partial } = range;
          const request = { id: found.id, offset, length };
          return {
            name: `${fileNameOf(found)}.zip`,
            contentType: 'application/zip',
            chunks: bytesOf(context.liveData.downloadExport(request, { caller, signal }), length, signal),
            status: partial ? 206 : 200,
            headers: {
              'Content-Length': String(length),
              'Accept-Ranges': 'bytes',
              ETag: tag,
              ...(partial ? { 'Content-Range': `bytes ${offset}-${offset + length - 1}/${found.bytes}` } : {}),
            },
          };
        }),
    }),
  ];
}

async function* bytesOf(
  messages: AsyncIterable<{ readonly bytes: Uint8Array }>,
  length: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const { bytes } of messages) {
    sent += bytes.length;
    yield bytes;
  }
  // An aborted call ends without an error.
  signal.throwIfAborted();
  if (sent !== length) throw new Error(`${sent} of ${length} bytes of an export were sent`);
}

/** Starts an export. Adds the names of its players and the metadata of its batches, which live-data does not have. */
async function startExport(
  scope: ExportScope,
  site: { readonly site: string; readonly license: string },
  context: Context,
  caller: Caller,
) {
  const options = { caller, timeoutMs: startTimeoutMs };
  const { playerIds, batchIds } = await context.liveData.planExport(scope, options);
  const [nameOfUser, numbers, metadata] = await Promise.all([
    context.names.of(playerIds),
    context.simulation.listBatchNumbers({ batchIds }, options),
    Promise.all(batchIds.map((batchId) => metadataOf(batchId, context, caller))),
  ]);
  const numberOf = new Map(numbers.batches.map(({ batchId, batchNumber }) => [batchId, batchNumber]));
  const started = await context.liveData.startExport(
    {
      scope,
      players: playerIds.map((userId) => ({ userId, username: nameOfUser(userId) })),
      batches: batchIds.map((batchId, index) => ({
        batchId,
        batchNumber: numberOf.get(batchId) ?? 0,
        metadataJson: metadata[index] ?? '',
      })),
      ...site,
    },
    options,
  );
  return present(started);
}

function notReady({ state, problem }: DataExport__Output): HttpError {
  if (state === 'waiting' || state === 'running') {
    return new HttpError(409, 'export-not-ready', 'The export is being made. Please try again later.');
  }
  return new HttpError(409, 'export-ended', problem);
}

function fileNameOf({ batchNumber, scope }: DataExport__Output): string {
  if (batchNumber > 0) return `husky-holdem-batch-${batchNumber}`;
  return `husky-holdem-${scope?.ladder ? 'ladder-' : ''}${scope?.from}-to-${scope?.to}`;
}

function present(found: DataExport__Output) {
  const { scope } = found;
  return {
    id: found.id,
    batch_number: found.batchNumber || null,
    period: scope !== null && scope.batchId === '' ? { from: scope.from, to: scope.to, ladder: scope.ladder } : null,
    state: found.state,
    problem: found.problem || null,
    matches: found.matches,
    matches_done: found.matchesDone,
    hands: found.hands,
    bytes: found.bytes,
    created_at: found.createdAt,
    ended_at: found.endedAt || null,
    expires_at: found.expiresAt || null,
  };
}
