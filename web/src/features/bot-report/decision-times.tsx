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

type Limits = NonNullable<BotReport['limits']>;

/** Returns whether decisions of the bot exceeded a limit. */
function overLimits({ times, limits, faults, bank_ms: bank, bank_used_ms: used }: BotReport): boolean {
  const late = faults.some(({ kind }) => kind === 'timeout');
  const empty = bank !== null && used !== null && used >= bank;
  return late || empty || (times !== null && limits !== null && times.max_ms > wallLimitMs(limits));
}

/** Returns the limit of wall time: three times that of processor time (docs/bots.md). */
const wallLimitMs = ({ decision_ms: limit }: Limits) => 3 * limit;

function limitSentence(times: Times, limits: Limits): string {
  const share = (100 * times.max_ms) / wallLimitMs(limits);
  const part = share < 1 ? 'less than 1' : String(Math.round(share));
  const limit = `${formatMs(limits.decision_ms)} of processor time or ${formatMs(wallLimitMs(limits))} on the clock`;
  return `A decision may use ${limit}: the longest took ${part} % of that. Time beyond ${formatMs(limits.free_ms)} a decision comes out of the bank.`;
}

/** Shows the bot's decision times: percentiles and a histogram. */
export function TimesPanel({ report }: { report: BotReport }) {
  const { times, limits } = report;
  if (times === null || times.count === 0) {
    return (
      <Panel title="Decision times">
        <p className="muted">
          {times === null ? 'The times of this match were not measured.' : 'The bot made no decision.'}
        </p>
      </Panel>
    );
  }
  const bars = barsOf(times.histogram);
  const maxCount = Math.max(...bars.map(({ count }) => count));
  return (
    <Panel title="Decision times">
      <Stats
        items={[
          { label: 'Half within', value: formatMs(times.p50_ms), text: true },
          { label: '95 % within', value: formatMs(times.p95_ms), text: true },
          { label: 'Longest', value: formatMs(times.max_ms), text: true },
        ]}
      />
      {limits && (
        <p className={`limits ${overLimits(report) ? 'negative' : 'muted'}`}>{limitSentence(times, limits)}</p>
      )}
      <figure className="histogram">
        <ol>
          {bars.map(({ label, count }) => (
            <li key={label}>
              <span>{label}</span>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect width={count === 0 ? 0 : Math.max(0.5, (100 * count) / maxCount)} height="10" />
              </svg>
              <span className="mono-number">{formatNumber(count)}</span>
            </li>
          ))}
        </ol>
        <figcaption className="muted">
          Decisions by response time, including the calls that were delivered with the request.
        </figcaption>
      </figure>
    </Panel>
  );
}
