import './live-mark.css';

/** Marks matches that are running. */
export function LiveMark() {
  return (
    <span className="live-mark">
      <span className="live-dot" aria-hidden="true" />
      LIVE
    </span>
  );
}
