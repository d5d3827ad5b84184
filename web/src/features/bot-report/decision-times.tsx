import { Panel, Stats } from '../../components/page.tsx';
import { formatNumber } from '../../lib/format.ts';
import type { BotReport } from '../../lib/types.ts';

type Times = NonNullable<BotReport['times']>;
type Bar = { label: string; count: number };

/** Formats a duration: '0.42 ms', '12 ms', '3.5 s'. */
export function formatMs(ms: number): string {
  if (ms >= 1000) return `${formatNumber(Math.round(ms / 100) / 10)} s`;
  return `${formatNumber(ms < 10 ? Math.round(ms * 100) / 100 : Math.round(ms))} ms`;
}

/** Returns the bars of the histogram without empty ones at both ends. */
export function barsOf(histogram: Times['histogram']): Bar[] {
  const filled = histogram.map(({ count }) => count > 0);
  const bars = histogram.map(({ up_to_ms: upTo, count }, place) => ({
    label: upTo === null ? `over ${formatMs(histogram[place - 1]?.up_to_ms ?? 0)}` : `up to ${formatMs(upTo)}`,
    count,
  }));
  return filled.includes(true) ? bars.slice(filled.indexOf(true), filled.lastIndexOf(true) + 1) : [];
}

/** Shows the bot's decision times: percentiles and a histogram. */
export function TimesPanel({ times }: { times: BotReport['times'] }) {
  if (times === null || times.count === 0) {
    return (
      <Panel title="Decision times">
        <p className="muted">
          {times === null ? 'The times of this match were not measured.' : 'The bot was never asked.'}
        </p>
      </Panel>
    );
  }
  const bars = barsOf(times.histogram);
  const most = Math.max(...bars.map(({ count }) => count));
  return (
    <Panel title="Decision times">
      <Stats
        items={[
          { label: 'Half within', value: formatMs(times.p50_ms), text: true },
          { label: '95 % within', value: formatMs(times.p95_ms), text: true },
          { label: 'Longest', value: formatMs(times.max_ms), text: true },
        ]}
      />
      <figure className="histogram">
        <ol>
          {bars.map(({ label, count }) => (
            <li key={label}>
              <span>{label}</span>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect width={count === 0 ? 0 : Math.max(0.5, (100 * count) / most)} height="10" />
              </svg>
              <span className="mono-number">{formatNumber(count)}</span>
            </li>
          ))}
        </ol>
        <figcaption className="muted">
          Decisions by the time from the question to the answer, calls told with the question included.
        </figcaption>
      </figure>
    </Panel>
  );
}
