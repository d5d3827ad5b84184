import { escapeHtml } from '@husky/runtime/process/html';
import { findPage, type SubjectKind, type SubjectReader } from './pages.ts';
import type { Subject } from './subjects.ts';

const site = "Husky Hold'em Bench";

/** The part of web/index.html with the title and description of an unknown page. */
const headPart = /<!-- head of the page -->[\s\S]*?<!-- \/head of the page -->/;

/**
 * Replaces the marked part of the web app's HTML with title, description, canonical address and link preview (Open Graph, Twitter) of
 * the page at a path. A page about a private or unknown subject gets the same tags as a page without a subject.
 */
export async function withHead(html: string, path: string, publicUrl: string, read: SubjectReader): Promise<string> {
  if (!headPart.test(html)) return html;
  const tags = await tagsOf(path, publicUrl, read);
  return html.replace(headPart, () => tags);
}

/** Adds tags at the end of the head of the web app's HTML. */
export const withTags = (html: string, tags: string): string =>
  tags === '' ? html : html.replace('</head>', () => `  ${tags}\n  </head>`);

/** Adds the settings of the web app to its HTML, so that the first render has the banner and nothing moves afterwards. */
export function withSettings(html: string, settings: object): string {
  return html.replace('<meta name="app-config" content="" />', () => {
    return `<meta name="app-config" content="${escapeHtml(JSON.stringify(settings))}" />`;
  });
}

async function tagsOf(path: string, publicUrl: string, read: SubjectReader): Promise<string> {
  const { page, parameter = '' } = findPage(path) ?? {};
  const subject = page?.subject && (await read(page.subject, parameter));
  const name = subject?.title ?? page?.title;
  const title = name === undefined ? site : `${name} · ${site}`;
  const description = subject?.description ?? page?.description ?? generalDescription;
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
  return kind === undefined || subject === undefined ? '/og/site.png' : `/og/${kind}/${encodeURIComponent(id)}.png`;
}

const generalDescription = findPage('/')?.page.description ?? '';
