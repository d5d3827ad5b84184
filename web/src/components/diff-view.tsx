import type { DiffLine } from '../lib/diff-lines.ts';
import './diff-view.css';

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
