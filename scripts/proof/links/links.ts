import { posix } from 'node:path';

/** Tracked files of the repository: path from the root -> text. The text is empty for files that are not checked. */
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
/** Names of files that are not in the repository but may be mentioned: Keycloak's programs, files of bots. */
const foreignNames = new Set(['kc.sh', 'kcadm.sh', 'type.py', 'partner.py', 'wheel.py']);
/** A folder of the repository in inline code, without placeholders. */
const mentionedFolder = /`((?:charts|docs|gateway|k8s|proto|scripts|services|web)(?:\/[\w.-]+)*)\/`/g;
const fence = /^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^\1\2/gm;

/**
 * Returns the problems in documents and comments, each as a sentence with file and line:
 * - relative links in Markdown to a missing file, folder or heading; links with a scheme are ignored;
 * - file names in comments and inline code that are not the end of any tracked path;
 * - folders in inline code that do not exist;
 * - decisions that are not numbered in order.
 */
export function findLinkProblems(files: Files): string[] {
  const ends = pathEnds(files.keys());
  const folders = pathEnds(foldersOf(files.keys()));
  const isKnown = (name: string) =>
    foreignNames.has(name) || /\/generated\/|^test-results\//.test(name) || ends.has(name.replace(/^(\.{1,2}\/)+/, ''));
  return [...files].flatMap(([path, text]) => {
    const problem = (offset: number, message: string) =>
      `${path}:${text.slice(0, offset).split('\n').length}: ${message}`;
    const findMissing = (source: string, offset: number) =>
      [...source.matchAll(mentionedPath)]
        .filter(([name]) => !isKnown(name))
        .map(({ 0: name, index }) => problem(offset + index, `names ${name}, which is not in the repository`));

    if (!path.endsWith('.md')) {
      const comment = commentOf[posix.extname(path).slice(1)];
      return comment ? [...text.matchAll(comment)].flatMap(({ 0: one, index }) => findMissing(one, index)) : [];
    }
    const prose = text.replace(fence, blank);
    return [
      ...findMisnumberedDecisions(prose).map(([offset, number]) =>
        problem(offset, `decision ${number} is out of order`),
      ),
      ...[...prose.matchAll(/`([^`\n]+)`/g)].flatMap(({ 1: code = '', index }) => findMissing(code, index + 1)),
      ...[...prose.matchAll(mentionedFolder)]
        .filter(({ 1: folder = '' }) => !folders.has(folder))
        .map(({ 0: name, index }) => problem(index, `names ${name}, which is not in the repository`)),
      ...[...prose.replace(/`[^`\n]+`/g, blank).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(({ 1: target = '', index }) => {
        const cause = checkLink(files, path, target);
        return cause === undefined ? [] : [problem(index, `links to ${target}: ${cause}`)];
      }),
    ];
  });
}

/** Finds decisions that are not numbered from 1 without gaps, with their offsets. */
function findMisnumberedDecisions(text: string): [offset: number, number: number][] {
  const start = /^## Decisions$/m.exec(text)?.index ?? text.length;
  const length = text.slice(start + 1).search(/^## /m);
  const section = length < 0 ? text.slice(start) : text.slice(start, start + 1 + length);
  return [...section.matchAll(/^(\d+)\. /gm)].flatMap(({ 1: number, index }, place) =>
    Number(number) === place + 1 ? [] : [[start + index, Number(number)] as [number, number]],
  );
}

/** Returns why a link is broken; undefined if it is not. */
function checkLink(files: Files, from: string, target: string): string | undefined {
  // A link with a scheme, or a path of the site.
  if (/^(\w+:|\/)/.test(target)) return undefined;
  const [name = '', anchor] = target.split('#');
  const path = name === '' ? from : posix.join(posix.dirname(from), decodeURI(name)).replace(/\/$/, '');
  const text = files.get(path);
  if (text === undefined) {
    const isFolder = path === '.' || [...files.keys()].some((file) => file.startsWith(`${path}/`));
    return isFolder ? undefined : 'there is no such file';
  }
  if (anchor === undefined || !path.endsWith('.md') || headingAnchors(text).has(anchor)) return undefined;
  return 'there is no such heading';
}

/** Returns the anchors of a document's headings as GitHub creates them: lower case, no punctuation, hyphens for spaces, repeats numbered. */
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

/** Returns the folders on the paths, also those that contain only folders. */
function foldersOf(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) folders.add(path.slice(0, end));
  }
  return folders;
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
