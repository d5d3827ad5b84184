import { escapeHtml } from '@husky/runtime/process/html';
import { outsideOfCall } from '@husky/runtime/rpc/call-context';
import { LRUCache } from 'lru-cache';
import { readBatchNumbers } from '../batch-numbers.ts';
import type { Context } from '../context.ts';
import { asVisitor } from './lists.ts';
import { sitePages } from './pages.ts';

type Reader = Pick<Context, 'liveData' | 'simulation' | 'names'>;

interface Sitemap {
  readonly robots: string;
  /** Returns sitemap.xml, at most 5 minutes old. */
  read(context: Reader): Promise<string>;
}

const cacheMs = 300_000;
const pageSize = 1000;
// A sitemap may have 50,000 addresses.
const maxPages = 10;

/** Creates robots.txt and the sitemap: pages without a parameter, the 10,000 newest public matches, their batches and players. */
export function createSitemap(origin: string): Sitemap {
  // The cache has only addresses, which reveal no more than the lists of public matches.
  const cache = new LRUCache<'sitemap', string, Reader>({
    max: 1,
    ttl: cacheMs,
    fetchMethod: async (_key, _stale, { context }) =>
      render(origin, await outsideOfCall(() => listPublicPaths(context))),
  });
  const calls = ['/admin/', '/auth/', '/docker/', '/leaderboard/', '/live/', '/llm/', '/opt-out/', '/sim/', '/user/'];
  const lines = ['User-agent: *', ...calls.map((path) => `Disallow: ${path}`), `Sitemap: ${origin}/sitemap.xml`];
  return {
    robots: `${lines.join('\n')}\n`,
    read: async (context) => (await cache.fetch('sitemap', { context })) ?? render(origin, []),
  };
}

async function listPublicPaths(context: Reader): Promise<string[]> {
  const matches = [];
  for (let page = 1; page <= maxPages; page++) {
    const request = { publicOnly: true, order: 'newest', page, pageSize };
    const list = await context.liveData.listMatches(request, { ...asVisitor, timeoutMs: 10_000 });
    matches.push(...list.matches);
    if (list.matches.length < pageSize) break;
  }
  const ofMatches = matches.map(({ batchId }) => batchId).filter((id) => id !== '');
  const { batchIds } = await context.liveData.listPublicBatches({ batchIds: [...new Set(ofMatches)] }, asVisitor);
  const visible = new Set(batchIds);
  const numbers = await readBatchNumbers(
    matches.filter(({ batchId }) => visible.has(batchId)),
    context,
  );
  const names = await context.names.known(matches.flatMap(({ playerIds }) => playerIds));
  return [
    ...[...new Set(numbers.values())].map((number) => `/batches/${number}`),
    ...[...new Set(names.values())].sort().map((name) => `/players/${encodeURIComponent(name)}`),
    ...matches.map(({ jobId }) => `/games/${jobId}`),
  ];
}

function render(origin: string, paths: readonly string[]): string {
  const fixed = sitePages.filter(({ path, hidden }) => !hidden && !path.includes(':')).map(({ path }) => path);
  const locations = [...fixed, ...paths].map((path) => `<url><loc>${escapeHtml(origin + path)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${locations.join('\n')}\n</urlset>\n`;
}
