import type { Snapshot__Output } from '@husky/contracts/types/live/v1/Snapshot';
import { z } from 'zod';
import { type Route, route } from '../../http/route.ts';
import { jobParams, pathName, time } from '../../http/schema.ts';
import { asVisitor } from '../../site/lists.ts';
import { readMatch } from '../../site/subjects.ts';
import { formatCount } from '../../site/words.ts';
import { findBatch } from '../batches/routes.ts';

const item = z
  .object({
    id: z.string(),
    type: z.literal('dataset'),
    title: z.string(),
    author: z.array(z.object({ literal: z.string() })),
    publisher: z.string(),
    issued: z.object({ 'date-parts': z.array(z.array(z.number().int())) }),
    version: z.string(),
    URL: z.string(),
    note: z.string(),
  })
  .describe('CSL-JSON');

const citation = z
  .object({
    snapshot: z.string().describe('number of matches and first 16 digits of the hash; `?snapshot=` of the URL'),
    matches: z.number().int(),
    hands: z.number().int(),
    hash: z
      .string()
      .describe('SHA-256 over a line for each match, by id: job id, space, digest, line feed; both are in each export'),
    newest_match_at: time,
    methodology_version: z.number().int(),
    item,
  })
  .meta({ id: 'Citation' });

/** Returns the routes for citations. They count public matches only. */
export function citationRoutes(publicUrl: string): Route[] {
  return [
    route('GET /batches/{number}/citation', {
      access: 'anyone',
      summary: 'How to cite a public batch as it is now',
      params: pathName('number'),
      response: citation,
      refusals: [404],
      shared: { among: 'everyone' },
      async handle({ params: { number = '' }, context }) {
        const { id, batchNumber } = await findBatch(number, context, asVisitor.caller);
        const snapshot = await context.liveData.getSnapshot({ batchId: id }, asVisitor);
        return present(new URL(`/batches/${batchNumber}`, publicUrl), `Batch ${batchNumber}`, snapshot);
      },
    }),
    route('GET /live/job/{id}/citation', {
      access: 'anyone',
      summary: 'How to cite a finished public match',
      params: jobParams,
      response: citation,
      refusals: [404],
      shared: { among: 'everyone' },
      async handle({ params: { id }, context }) {
        const [subject, snapshot] = await Promise.all([
          readMatch(id, context),
          context.liveData.getSnapshot({ jobId: id }, asVisitor),
        ]);
        return present(new URL(`/games/${id}`, publicUrl), subject?.title, snapshot);
      },
    }),
  ];
}

const site = "Husky Hold'em Bench";

function present(url: URL, title: string | undefined, found: Snapshot__Output): z.infer<typeof citation> {
  const { matches, hands, digest: hash, newestMatchAt, methodologyVersion } = found;
  const snapshot = `${matches}-${hash.slice(0, 16)}`;
  url.searchParams.set('snapshot', snapshot);
  const day = newestMatchAt.slice(0, 10).split('-').map(Number);
  return {
    snapshot,
    matches,
    hands,
    hash,
    newest_match_at: newestMatchAt,
    methodology_version: methodologyVersion,
    item: {
      // Also the key of BibTeX, in which a hyphen is not safe.
      id: `husky_holdem${url.pathname}_${snapshot}`.replaceAll(/[^a-z0-9]/g, '_'),
      type: 'dataset',
      title: `${site}: ${title ?? url.pathname}`,
      author: [{ literal: `${site} team` }],
      publisher: site,
      issued: { 'date-parts': [day] },
      version: `methodology version ${methodologyVersion}`,
      URL: url.href,
      note: `${formatCount(matches, 'match', 'matches')}, ${formatCount(hands, 'hand')}; methodology version ${methodologyVersion}; SHA-256 ${hash}`,
    },
  };
}
