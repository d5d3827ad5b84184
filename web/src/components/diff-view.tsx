import './code-view.css';
import { structuredPatch } from 'diff';

/** Shows the lines of a diff, or that there are no differences. */
export function DiffView({ lines, label = 'Differences' }: { lines: readonly DiffLine[]; label?: string }) {
  if (lines.length === 0) return <p className="muted">No differences.</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="diff" tabIndex={0} aria-label={label}>
        <code>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity except their position
            <Line key={index} line={line} />
          ))}
        </code>
      </section>
    </>
  );
}

const MARKS = { added: '+ ', removed: '- ', same: '  ', skip: '' };

function Line({ line }: { line: DiffLine }) {
  return (
    <span className={line.kind === 'same' ? undefined : `diff-${line.kind}`}>
      {MARKS[line.kind]}
      {line.text}
    </span>
  );
}

type DiffLine = { kind: 'added' | 'removed' | 'same' | 'skip'; text: string };

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
