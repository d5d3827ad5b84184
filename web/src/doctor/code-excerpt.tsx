import './doctor.css';

const CONTEXT_LINES = 3;
const MAX_LENGTH = 300;

/** Shows a line of a file between its neighbours. Renders nothing if the file has no such line. */
export function CodeExcerpt({ text, line }: { text: string; line: number }) {
  const lines = text.split(/\r\n|\r|\n/);
  if (line < 1 || line > lines.length) return null;
  const first = Math.max(1, line - CONTEXT_LINES);
  const shown = lines.slice(first - 1, line + CONTEXT_LINES);
  return (
    <figure className="excerpt">
      <figcaption>player.py, line {line}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section tabIndex={0} aria-label={`Lines ${first} to ${first + shown.length - 1} of player.py`}>
        <code>
          {shown.map((code, index) => {
            const number = first + index;
            const content = code.length > MAX_LENGTH ? `${code.slice(0, MAX_LENGTH)} …` : code;
            return (
              <span key={number} className={number === line ? 'excerpt-line excerpt-failing' : 'excerpt-line'}>
                <span className="excerpt-number" aria-hidden="true">
                  {number}
                </span>
                {number === line ? <mark>{content}</mark> : content}
              </span>
            );
          })}
        </code>
      </section>
    </figure>
  );
}
