import './feedback.css';

/** Shows a spinner with a text. */
export function Loading({ text = 'Loading...', inline = false }: { text?: string; inline?: boolean }) {
  return (
    <div className={inline ? 'loading' : 'loading loading-tall'} role="status">
      <span className="spinner" aria-hidden="true" />
      <span>{text}</span>
    </div>
  );
}
