import './code-view.css';

const SHOWN_LINES = 3_000;

/** Shows a file's text with line numbers, at most 3,000 lines. */
export function CodeView({ text, label }: { text: string; label: string }) {
  const lines = text.split(/\r\n|\r|\n/);
  const shown = lines.slice(0, SHOWN_LINES);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="code" tabIndex={0} aria-label={label}>
        <code>
          {shown.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity except their position
            <span key={index}>{line}</span>
          ))}
        </code>
      </section>
      {lines.length > SHOWN_LINES && (
        <p className="muted">
          {lines.length - SHOWN_LINES} more lines are not shown. Download the file to see all of it.
        </p>
      )}
    </>
  );
}
