import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSpecified, specifiedEvent } from '@husky/match/specified-event';
import { escapeHtml } from '@husky/runtime/process/html';
import { findPage, type SubjectKind, type SubjectReader } from './pages.ts';
import type { ListScene, TableScene } from './pictures/scenes.ts';
import type { Subject } from './subjects.ts';
import { formatChange } from './words.ts';

/** An entry of Vite's manifest (build.manifest): a module of web/ with the files that a browser loads for it. */
interface ManifestEntry {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}
type Manifest = Readonly<Record<string, ManifestEntry>>;

/** Returns the files of a module and its static imports, without those in `known`. */
function filesOf(manifest: Manifest, name: string, known: ReadonlySet<string> = new Set()): Set<string> {
  const files = new Set<string>();
  const visited = new Set<string>();
  const visit = (key: string) => {
    const entry = manifest[key];
    if (entry === undefined || visited.has(key)) return;
    visited.add(key);
    for (const file of [entry.file, ...(entry.css ?? [])]) if (!known.has(file)) files.add(file);
    for (const imported of entry.imports ?? []) visit(imported);
  };
  visit(name);
  return files;
}

/**
 * Returns a function that creates the preload tags of a page's module, so that the browser loads the page's code and styles beside the
 * app's first script instead of after it. Reads the manifest of the build in `folder` again when it changes. Without a manifest there
 * are no tags.
 */
export function createPreloadTags(folder: string | undefined): (module: string | undefined) => string {
  const path = folder === undefined ? undefined : join(folder, '.vite/manifest.json');
  let build: { readonly mtimeMs: number; readonly manifest: Manifest; readonly first: ReadonlySet<string> } | undefined;
  const tags = new Map<string, string>();
  return (module) => {
    const mtimeMs = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (path === undefined || mtimeMs === undefined || module === undefined) return '';
    if (build?.mtimeMs !== mtimeMs) {
      const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
      const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry) ?? '';
      build = { mtimeMs, manifest, first: filesOf(manifest, entry) };
      tags.clear();
    }
    const known = tags.get(module);
    if (known !== undefined) return known;
    const created = [...filesOf(build.manifest, module, build.first)].map(tagOf).join('\n    ');
    tags.set(module, created);
    return created;
  };
}

const tagOf = (file: string) =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/${file}" />`
    : `<link rel="modulepreload" crossorigin href="/${file}" />`;

const site = "Husky Hold'em Bench";

/** The part of web/index.html with the title and description of an unknown page. */
const headPart = /<!-- head of the page -->[\s\S]*?<!-- \/head of the page -->/;

/** What is shown until the web app has started: the bar and the title of the page. */
const bootPart = /<!-- before the app -->[\s\S]*?<!-- \/before the app -->/;
const bootTitle = '<p class="boot-title"></p>';

const plainPart = /<noscript>[\s\S]*?<\/noscript>/;

/**
 * Replaces the marked part of the web app's HTML with title, description, canonical address and link preview (Open Graph, Twitter) of
 * the page at a path, and its text for browsers without JavaScript with the page's results. A page about a private or unknown subject
 * gets the same as a page without a subject.
 */
export async function withSubject(html: string, path: string, publicUrl: string, read: SubjectReader): Promise<string> {
  if (!headPart.test(html)) return html;
  const { page, parameter = '' } = findPage(path) ?? {};
  const subject = page?.subject && (await read(page.subject, parameter));
  const name = (parameter === '' ? undefined : subject?.title) ?? page?.title;
  const description = subject?.description ?? page?.description ?? generalDescription;
  const tags = tagsOf(path, publicUrl, { page, parameter, name, description, subject });
  return html
    .replace(headPart, () => tags)
    .replace(bootPart, (part) =>
      page?.bare ? '' : part.replace(bootTitle, `<p class="boot-title">${escapeHtml(name ?? site)}</p>`),
    )
    .replace(plainPart, () => `<noscript>\n${plainPage(name ?? site, description, subject)}\n</noscript>`);
}

/** Adds tags at the end of the head of the web app's HTML. */
export const withTags = (html: string, tags: string): string =>
  tags === '' ? html : html.replace('</head>', () => `  ${tags}\n  </head>`);

const bootBanner = (rest: string) => `<p class="strip strip-info strip-notice"${rest}</p>`;

/** Adds the settings of the web app to its HTML, and the banner to what is shown before it, so that nothing moves afterwards. */
export function withSettings(html: string, settings: AppSettings): string {
  const banner = bannerOf(settings);
  return html
    .replace('<meta name="app-config" content="" />', () => {
      return `<meta name="app-config" content="${escapeHtml(JSON.stringify(settings))}" />`;
    })
    .replace(bootBanner(' hidden>'), (hidden) => (banner === '' ? hidden : bootBanner(`>${escapeHtml(banner)}`)));
}

interface AppSettings {
  readonly banner?: string | undefined;
  readonly frozen?: boolean | undefined;
  readonly tournament?: { readonly start: string; readonly end: string } | undefined;
}

/** Returns the organisers' banner; '' if the web app shows another, which follows the window. */
function bannerOf({ banner = '', frozen = false, tournament = { start: '', end: '' } }: AppSettings): string {
  const window = { start: Date.parse(tournament.start), end: Date.parse(tournament.end) };
  return banner === specifiedEvent.banner && !isSpecified(window, frozen) ? '' : banner;
}

interface Shown {
  readonly page: NonNullable<ReturnType<typeof findPage>>['page'] | undefined;
  readonly parameter: string;
  readonly name: string | undefined;
  readonly description: string;
  readonly subject: Subject | undefined;
}

function tagsOf(path: string, publicUrl: string, { page, parameter, name, description, subject }: Shown): string {
  const title = name === undefined ? site : `${name} · ${site}`;
  const origin = publicUrl.replace(/\/+$/, '');
  const address = origin + (page?.canonical?.(encodeURIComponent(parameter)) ?? path);
  const image = origin + pictureOf(page?.subject, parameter, subject);
  const property = (key: string, content: string) => `<meta property="${key}" content="${escapeHtml(content)}" />`;
  const meta = (key: string, content: string) => `<meta name="${key}" content="${escapeHtml(content)}" />`;
  return [
    ...(page === undefined || page.hidden ? [meta('robots', 'noindex')] : []),
    `<title>${escapeHtml(title)}</title>`,
    meta('description', description),
    `<link rel="canonical" href="${escapeHtml(address)}" />`,
    property('og:site_name', site),
    property('og:type', 'website'),
    property('og:title', name ?? site),
    property('og:description', description),
    property('og:url', address),
    property('og:image', image),
    property('og:image:width', '1200'),
    property('og:image:height', '630'),
    property('og:image:alt', subject === undefined ? 'Five cards on a poker table' : subject.scene.sentence),
    meta('twitter:card', 'summary_large_image'),
  ].join('\n    ');
}

function pictureOf(kind: SubjectKind | undefined, id: string, subject: Subject | undefined): string {
  if (subject !== undefined && kind === 'home') return '/og/home.png';
  return kind === undefined || subject === undefined || id === ''
    ? '/og/site.png'
    : `/og/${kind}/${encodeURIComponent(id)}.png`;
}

const generalDescription = findPage('/')?.page.description ?? '';

const link = (href: string, text: string) => `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;

/** Returns what a page shows without JavaScript: its results as text, a table and links. */
function plainPage(title: string, description: string, subject: Subject | undefined): string {
  return [
    `<p>${link('/', 'Home')} ${link('/games', 'Games')}</p>`,
    `<h1>${escapeHtml(title)}</h1>`,
    `<p>${escapeHtml(description)}</p>`,
    ...(subject === undefined ? [] : [tableOf(subject.scene), listOf(subject.links ?? [])]),
    '<p>Graphs, replays and everything else need JavaScript.</p>',
  ].join('\n');
}

function tableOf(scene: ListScene | TableScene): string {
  const rows = 'rows' in scene ? scene.rows : [...scene.seats].sort((a, b) => b.delta - a.delta);
  if (rows.length === 0) return '';
  const cells = rows.map((row) => {
    const rank = 'rank' in row ? `<td>${row.rank}</td>` : '';
    const player = link(`/players/${encodeURIComponent(row.name)}`, row.name);
    return `<tr>${rank}<td>${player}</td><td>${escapeHtml(formatChange(row.delta))}</td></tr>`;
  });
  const head = `${'rows' in scene ? '<th>Rank</th>' : ''}<th>Player</th><th>Result</th>`;
  return `<table><thead><tr>${head}</tr></thead><tbody>${cells.join('')}</tbody></table>`;
}

const listOf = (links: NonNullable<Subject['links']>) =>
  links.length === 0 ? '' : `<ul>${links.map(({ href, text }) => `<li>${link(href, text)}</li>`).join('')}</ul>`;
