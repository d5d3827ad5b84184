import { posix } from 'node:path';

/** Tracked files of the repository: path from the root -> text. Files that are no text have an empty one. */
export type Files = ReadonlyMap<string, string>;

const commentOf: Readonly<Record<string, RegExp>> = {
  ts: /(?<!:)\/\/.*|\/\*[\s\S]*?\*\//g,
  tsx: /(?<!:)\/\/.*|\/\*[\s\S]*?\*\//g,
  js: /(?<!:)\/\/.*|\/\*[\s\S]*?\*\//g,
  css: /\/\*[\s\S]*?\*\//g,
  proto: /\/\/.*/g,
  prisma: /\/\/.*/g,
  py: /#.*|"""[\s\S]*?"""/g,
  sh: /(?<=^|\s)#.*/g,
  yaml: /(?<=^|\s)#.*/g,
  toml: /(?<=^|\s)#.*/g,
  sql: /--.*/g,
};
const mentionedPath =
  /(?<![\w./@:<>{}*$-])(?:\.{1,2}\/)*\w[\w.@-]*(?:\/\w[\w.@-]*)*\.(?:md|ts|tsx|py|sh|proto|css)(?![\w*{])/g;
/** Names that may be mentioned although the repository has no such file: Keycloak's programs, a bot's own file. */
const foreignNames = new Set(['kc.sh', 'kcadm.sh', 'type.py']);
/** A folder of the repository's own tree in inline code, without placeholders. */
const namedFolder = /`((?:charts|docs|gateway|k8s|proto|scripts|services|web)(?:\/[\w.-]+)*)\/`/g;
const fence = /^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^\1\2/gm;

/**
 * Finds relative links of Markdown that lead nowhere (a missing file or folder, an unknown heading), file names in comments
 * and in inline code of Markdown that are not the end of any tracked path, folders in inline code that do not exist, and
 * numbers of decisions that are out of order. Does not follow links with a scheme. Returns one sentence for each problem, with
 * file and line.
 */
export function linkProblems(files: Files): string[] {
  const ends = pathEnds(files.keys());
  const folders = new Set([...ends].map((end) => posix.dirname(end)));
  const known = (name: string) =>
    foreignNames.has(name) || name.includes('/generated/') || ends.has(name.replace(/^(\.{1,2}\/)+/, ''));
  return [...files].flatMap(([path, text]) => {
    const problem = (offset: number, what: string) => `${path}:${text.slice(0, offset).split('\n').length}: ${what}`;
    const missing = (source: string, offset: number) =>
      [...source.matchAll(mentionedPath)]
        .filter(([name]) => !known(name))
        .map(({ 0: name, index }) => problem(offset + index, `names ${name}, which is not in the repository`));

    if (!path.endsWith('.md')) {
      const comment = commentOf[posix.extname(path).slice(1)];
      return comment ? [...text.matchAll(comment)].flatMap(({ 0: one, index }) => missing(one, index)) : [];
    }
    const prose = text.replace(fence, blank);
    return [
      ...misnumberedDecisions(prose).map(([offset, number]) => problem(offset, `decision ${number} is out of order`)),
      ...[...prose.matchAll(/`([^`\n]+)`/g)].flatMap(({ 1: code = '', index }) => missing(code, index + 1)),
      ...[...prose.matchAll(namedFolder)]
        .filter(({ 1: folder = '' }) => !folders.has(folder))
        .map(({ 0: name, index }) => problem(index, `names ${name}, which is no folder of the repository`)),
      ...[...prose.replace(/`[^`\n]+`/g, blank).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(({ 1: target = '', index }) => {
        const why = brokenLink(files, path, target);
        return why === undefined ? [] : [problem(index, `links to ${target}: ${why}`)];
      }),
    ];
  });
}

/** Finds decisions that are not numbered from 1 without gaps, with their offsets. */
function misnumberedDecisions(text: string): [offset: number, number: number][] {
  const start = /^## Decisions$/m.exec(text)?.index ?? text.length;
  const length = text.slice(start + 1).search(/^## /m);
  const section = length < 0 ? text.slice(start) : text.slice(start, start + 1 + length);
  return [...section.matchAll(/^(\d+)\. /gm)].flatMap(({ 1: number, index }, place) =>
    Number(number) === place + 1 ? [] : [[start + index, Number(number)] as [number, number]],
  );
}

function brokenLink(files: Files, from: string, target: string): string | undefined {
  // A scheme, or a path of the site.
  if (/^(\w+:|\/)/.test(target)) return undefined;
  const [name = '', anchor] = target.split('#');
  const path = name === '' ? from : posix.join(posix.dirname(from), decodeURI(name)).replace(/\/$/, '');
  const text = files.get(path);
  if (text === undefined) {
    const folder = path === '.' || [...files.keys()].some((file) => file.startsWith(`${path}/`));
    return folder ? undefined : 'there is no such file';
  }
  if (anchor === undefined || !path.endsWith('.md') || headingAnchors(text).has(anchor)) return undefined;
  return 'there is no such heading';
}

/** Anchors of a document's headings by GitHub's rule: lower case, punctuation dropped, spaces to hyphens, repeats numbered. */
function headingAnchors(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replace(fence, blank).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/<[^>]*>/g, '');
    const anchor = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let n = 1; anchors.has(unique); n++) unique = `${anchor}-${n}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Returns every path with zero or more of its leading folders removed. */
function pathEnds(paths: Iterable<string>): ReadonlySet<string> {
  const ends = new Set<string>();
  for (const path of paths) {
    const names = path.split('/');
    for (let i = 0; i < names.length; i++) ends.add(names.slice(i).join('/'));
  }
  return ends;
}

/** Replaces all characters except line breaks by spaces, so that offsets and line numbers stay valid. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
