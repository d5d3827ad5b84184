import { LiveMark } from '../../components/badge.tsx';
import type { LiveView } from '../../live-table/use-live-job.ts';

const STATE_TEXTS: Record<LiveView['state'], string> = {
  connecting: 'Connecting...',
  live: 'Hands appear as they are played.',
  stalled: 'The server has sent nothing for some seconds.',
  retrying: 'Connection lost. Reconnecting...',
  ended: 'The match has ended.',
  refused: 'The live stream is not available. Reload to see new hands.',
};

/** Formats the time left: '1:05', or '–' if it is unknown. */
export function timeLeft(seconds: number | null): string {
  if (seconds === null || seconds < 0) return '–';
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

type Props = { view: LiveView; waiting: boolean; queuePosition: number | null };

function stateText({ view, waiting, queuePosition }: Props): string {
  if (!waiting) return STATE_TEXTS[view.state];
  return queuePosition === null
    ? 'Waiting for a free runner.'
    : `Waiting for a free runner: place ${queuePosition} in the queue.`;
}

/** Shows the progress of a running match: hands, speed, time left and state of the stream. */
export function LiveStrip(props: Props) {
  const { view, waiting } = props;
  const { job, state } = view;
  const total = job.progress?.numRounds ?? 0;
  const done = Math.max(job.hands.length, job.progress?.handsDone ?? 0);
  const speed = job.progress?.handsPerSecond ?? null;
  return (
    <section className="live-strip" aria-label="Live match">
      {!waiting && state === 'live' && <LiveMark />}
      <span className="live-strip-text" role="status">
        {stateText(props)}
      </span>
      <dl className="live-facts mono-number">
        <div>
          <dt>Hands</dt>
          <dd>{total > 0 ? `${done} / ${total}` : done}</dd>
        </div>
        <div>
          <dt>Hands per second</dt>
          <dd>{speed === null ? '–' : speed.toFixed(1)}</dd>
        </div>
        <div>
          <dt>Time left</dt>
          <dd>{timeLeft(job.progress?.secondsLeft ?? null)}</dd>
        </div>
      </dl>
      <div
        className="live-bar"
        role="progressbar"
        aria-label="Hands played"
        aria-valuemin={0}
        aria-valuemax={Math.max(1, total)}
        aria-valuenow={total > 0 ? Math.min(done, total) : 0}
      >
        <span style={{ inlineSize: `${total > 0 ? Math.min(100, (done / total) * 100) : 0}%` }} />
      </div>
    </section>
  );
}
