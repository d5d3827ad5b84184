import { z } from 'zod';
import { type Route, route } from '../../http/route.ts';
import { jobParams, pathName } from '../../http/schema.ts';
import { sendFile } from '../../http/send-file.ts';
import { findBatch } from '../batches/routes.ts';
import { batchArchive, listFinishedMatches } from './batch-archive.ts';
import { formats, writers } from './manifest.ts';
import { matchFile, openMatch } from './match-file.ts';

const query = z.object({
  format: z
    .enum(formats)
    .default('jsonl')
    .describe('jsonl: JSON lines, phh: Poker Hand History, csv: a row per player'),
});

/** Returns the routes for downloads of matches and batches. `publicUrl`: the site's address in manifests; `license`: of the data. */
export function downloadRoutes(publicUrl: string, license: string): Route[] {
  return [
    route('GET /live/job/{id}/download', {
      access: 'anyone',
      tokenScope: 'read',
      summary: 'A finished match as a file: manifest, all hands, and an end that only a complete file has',
      params: jobParams,
      query,
      response: 'file',
      contentTypes: formats.map((format) => writers[format].contentType.split(';')[0] ?? ''),
      refusals: [403, 404, 409, 429],
      handle: ({ params, query, context, caller, token, address, koa }) =>
        sendFile(koa, context.downloads.open({ caller, token, address }), async (signal) => {
          const writer = writers[query.format];
          const download = { context, caller, publicUrl, license, writer, signal };
          const opened = await openMatch(params.id, download);
          return {
            name: `match-${opened.match.jobId}.${writer.extension}`,
            contentType: writer.contentType,
            chunks: matchFile(opened, download),
          };
        }),
    }),
    route('GET /batches/{number}/download', {
      access: 'anyone',
      tokenScope: 'read',
      summary: 'The finished matches of a batch as a zip archive: a file a match, and manifest.json',
      params: pathName('number'),
      query,
      response: 'file',
      contentTypes: ['application/zip'],
      refusals: [404, 409, 429],
      handle: ({ params, query: { format }, context, caller, token, address, koa }) =>
        sendFile(koa, context.downloads.open({ caller, token, address }), async (signal) => {
          const batch = await findBatch(params.number ?? '', context, caller);
          const download = { context, caller, publicUrl, license, writer: writers[format], signal };
          const matches = await listFinishedMatches(batch.id, download);
          return {
            name: `batch-${batch.batchNumber}-${format}.zip`,
            contentType: 'application/zip',
            chunks: batchArchive(batch, format, matches, download),
          };
        }),
    }),
  ];
}
