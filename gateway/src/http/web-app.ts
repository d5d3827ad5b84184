import { createReadStream, existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { extname, join, normalize, sep } from 'node:path';
import type Koa from 'koa';
import { shortestEncoding } from './compression.ts';
import { movedTo } from './errors.ts';
import { decoded } from './route-table.ts';

/** Paths of the API for every Accept header. */
const apiPaths =
  /^\/(auth\/(verify|change)-email\/|submission\/file\/|live\/job\/[^/]+\/download$|live\/exports\/[^/]+\/download$|batches\/[^/]+\/download$|kit\/|opt-out\/|docs(\/|$)|openapi\.json$|app-config\.json$|healthz$|readyz$|metrics$|\.well-known\/|og\/|robots\.txt$|sitemap\.xml$)/;

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.py': 'text/plain; charset=utf-8',
  '.gz': 'application/gzip',
};

/** The pages of the web app. */
export interface Pages {
  /** Finds the page at a path; undefined if there is none. `call`: a client that accepts anything gets the API call at this path. */
  find(path: string): { readonly page: { readonly call?: true } } | undefined;
  /** Returns the present path of a page at a former one. */
  movedTo(path: string): Promise<string | undefined>;
  /** Returns the app's HTML with title and tags of the page at a path. */
  render(html: string, path: string): Promise<string>;
}

/**
 * Serves the built web app: its files by name, and its HTML for every GET that accepts text/html (with status 404 if the app has no
 * page at the path). A GET that accepts anything, as crawlers send it, gets a page too, unless the REST contract has a call at its
 * path. Passes every other request to the API.
 */
export function webApp(folder: string | undefined, pages: Pages): Koa.Middleware {
  const index = folder === undefined ? undefined : join(folder, 'index.html');
  let file: { html: string; mtimeMs: number } | undefined;

  function indexPage(): string | undefined {
    if (index === undefined || !existsSync(index)) return undefined;
    const { mtimeMs } = statSync(index);
    if (file?.mtimeMs !== mtimeMs) file = { html: readFileSync(index, 'utf8'), mtimeMs };
    return file.html;
  }

  return async (ctx, next) => {
    const readable = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!readable || folder === undefined || apiPaths.test(ctx.path)) return next();
    if (serveFile(ctx, folder)) return;
    ctx.vary('Accept');
    const found = pages.find(ctx.path);
    const accepted = acceptsPage(ctx.get('accept'));
    if (accepted === 'no' || (accepted === 'anything' && (!found || found.page.call))) return next();
    const html = indexPage();
    if (html === undefined) return next();
    const moved = await pages.movedTo(ctx.path);
    if (moved !== undefined) throw movedTo(moved + ctx.search);
    ctx.status = found ? 200 : 404;
    ctx.type = 'text/html; charset=utf-8';
    ctx.set('Cache-Control', 'no-cache');
    ctx.body = await pages.render(html, ctx.path);
  };
}

/** Classifies an Accept header: it names HTML, accepts anything, or does not accept HTML. */
function acceptsPage(accept: string): 'html' | 'anything' | 'no' {
  if (/\b(text\/html|application\/xhtml\+xml)\b/.test(accept)) return 'html';
  if (accept === '') return 'anything';
  return /(^|[\s,])(\*|text)\/\*/.test(accept) && !accept.includes('json') ? 'anything' : 'no';
}

/** Paths of archives by folder. Cached, because every page and `/app-config.json` contains the path. */
const archives = new Map<string, string>();

/** Returns the path of the running version's source archive, which scripts/source-archive/main.ts writes beside the web app. */
export function sourceArchive(folder: string | undefined): string | undefined {
  if (folder === undefined) return undefined;
  const known = archives.get(folder);
  if (known !== undefined) return known;
  const [found] = globSync('source/*.tar.gz', { cwd: folder });
  if (found === undefined) return undefined;
  archives.set(folder, `/${found}`);
  return `/${found}`;
}

function serveFile(ctx: Koa.Context, folder: string): boolean {
  const name = decoded(ctx.path);
  // Every file of the web app has an extension. Other paths need no look-up on the disk.
  if (name === undefined || extname(name) === '' || name === '/index.html') return false;
  // File systems refuse longer names with an error other than ENOENT.
  if (name.length > 1024 || name.split('/').some((segment) => Buffer.byteLength(segment) > 255)) return false;
  const path = normalize(join(folder, name));
  if (!path.startsWith(folder + sep)) return false;
  const encoding = shortestEncoding(ctx);
  const compressed = encoding === 'br' ? `${path}.br` : encoding === 'gzip' ? `${path}.gz` : path;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return false;
  const useCompressed = compressed !== path && existsSync(compressed);
  ctx.type = types[extname(path)] ?? 'application/octet-stream';
  ctx.vary('Accept-Encoding');
  if (useCompressed) ctx.set('Content-Encoding', encoding);
  // Names under /assets contain a hash of their content.
  ctx.set('Cache-Control', name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=300');
  ctx.length = useCompressed ? statSync(compressed).size : stats.size;
  ctx.body = createReadStream(useCompressed ? compressed : path);
  return true;
}
