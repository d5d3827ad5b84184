import { structuredPatch } from 'diff';

export type DiffLine = { kind: 'added' | 'removed' | 'same' | 'skip'; text: string };

const CONTEXT_LINES = 4;
const KINDS: Record<string, DiffLine['kind']> = { '+': 'added', '-': 'removed', ' ': 'same' };

/** Returns the changed lines with four lines of context; empty if the texts are equal. Ignores line ends. */
export function diffTexts(before: string, after: string): DiffLine[] {
  const [old, fresh] = [before, after].map((text) => text.replace(/\r\n?/g, '\n')) as [string, string];
  const patch = structuredPatch('', '', old, fresh, '', '', { context: CONTEXT_LINES });
  return patch.hunks.flatMap((hunk): DiffLine[] => [
    { kind: 'skip', text: `@@ line ${hunk.oldStart} → line ${hunk.newStart} @@` },
    ...hunk.lines
      .filter((line) => !line.startsWith('\\'))
      .map((line): DiffLine => ({ kind: KINDS[line.charAt(0)] ?? 'same', text: line.slice(1) })),
  ]);
}
