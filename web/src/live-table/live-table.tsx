import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { LiveMark } from '../components/badge.tsx';
import { formatNumber } from '../lib/format.ts';
import { situationKey } from '../table/analysis/situations.ts';
import { describePayments } from '../table/descriptions.ts';
import { PokerTable } from '../table/poker-table.tsx';
import { verdictsAt } from '../table/replay-state.ts';
import type { Settings, Shown } from './director.ts';
import { LiveControls } from './live-controls.tsx';
import { LiveStanding, standingAfter } from './live-standing.tsx';
import { refusalSentence, statusSentence } from './sentences.ts';
import { useDirector } from './use-director.ts';
import { useInsights } from './use-insights.ts';
import { type LiveView, useLiveJob } from './use-live-job.ts';
import './live-table.css';

type Props = {
  jobId: string;
  /** Heading, such as a link to the match. */
  title?: ReactNode;
  /** Shows only the ten biggest hands of a match that has ended. */
  biggestOnly?: boolean;
  /** Called once when all hands of an ended match were shown, or none can be shown. */
  onEnd?: () => void;
};

function startSettings(): Settings {
  const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  return { pace: 'live', mattersOnly: false, paused: false, reducedMotion, jump: 0 };
}

/** Returns the last hand that was shown to its end, with a sentence for each pot: who won it and with which hand. */
function useLastResult(shown: Shown | null, names: readonly (string | null | undefined)[]) {
  const [last, setLast] = useState<{ hand: number; gameId: string; sentences: string[] } | null>(null);
  const namesKey = names.join('|');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `namesKey` stands for the names
  useEffect(() => {
    if (shown === null) return setLast(null);
    if (!shown.state.over) return;
    const awards = { ...shown.state, paid: shown.state.paid.filter((payment) => payment.kind === 'award') };
    const { hand, gameId, game } = shown;
    setLast({ hand, gameId, sentences: describePayments(game, awards, names) });
  }, [shown, namesKey]);
  return last;
}

/** Shows a match in play on the table, from a stream that the caller has opened. */
export function LiveTableView({ jobId, view, title, biggestOnly = false, onEnd }: Props & { view: LiveView }) {
  const [settings, setSettings] = useState(() => ({ ...startSettings(), biggestOnly }));
  const { job } = view;
  const director = useDirector(jobId, job, settings);
  const { shown, finished } = director;
  const insights = useInsights(shown);
  const insight = shown === null ? null : (insights.get(situationKey(shown.game, shown.state)) ?? null);
  const last = useLastResult(shown, insight?.seats.map((seat) => seat?.handName) ?? []);
  const refusal = refusalSentence(view, director);
  const over = finished || refusal !== null;
  useEffect(() => {
    if (over) onEnd?.();
  }, [over, onEnd]);

  if (refusal !== null) {
    return (
      <section className="live-table live-table-empty" aria-label="Live table">
        <p role="status">{refusal}</p>
        <Link to="/games">Watch another match</Link>
      </section>
    );
  }
  const behind = shown === null ? 0 : job.hands.length - shown.hand;
  // The standing must not reveal the result of the hand on the table.
  const handsKnown = shown === null ? job.hands.length : shown.hand - (shown.state.over ? 0 : 1);
  const total = job.progress?.numRounds ?? 0;
  return (
    <section className="live-table" aria-label="Live table">
      <div className="live-table-grid">
        <div className="live-table-head">
          {view.state === 'live' && job.ended === null && job.progress?.status === 'Running' && <LiveMark />}
          {title}
          <span className="mono-number live-table-hand">
            {shown === null ? 'No hand yet' : `Hand ${formatNumber(shown.hand)}`}
            {total > 0 && ` of ${formatNumber(total)}`}
          </span>
          {job.ended === null && (job.progress?.watchers ?? 0) > 0 && (
            <span className="muted">{job.progress?.watchers} watching</span>
          )}
        </div>
        <p className="live-table-status muted" role="status">
          {statusSentence(view, director, settings)}
        </p>
        <div className="live-table-felt">
          {shown === null ? (
            <div className="live-table-place" aria-hidden="true" />
          ) : (
            <PokerTable
              game={shown.game}
              state={shown.state}
              showCards
              insight={insight}
              verdicts={verdictsAt(shown.game, shown.state)}
            />
          )}
        </div>
        <LiveControls
          settings={settings}
          atLive={settings.pace === 'live' && !settings.paused && behind <= 1}
          onChange={(change) => setSettings((before) => ({ ...before, ...change }))}
        />
        <div className="live-table-side">
          <section aria-label="Last winner" className="live-last">
            <h2 className="live-standing-title">LAST WINNER</h2>
            {last === null ? (
              <p className="muted">No hand has been shown to its end yet.</p>
            ) : (
              <>
                {last.sentences.map((sentence) => (
                  <p key={sentence}>
                    <bdi>{sentence}.</bdi>
                  </p>
                ))}
                <Link to={`/replay/${encodeURIComponent(last.gameId)}`}>Replay hand {formatNumber(last.hand)}</Link>
              </>
            )}
          </section>
          <LiveStanding rows={standingAfter(job, handsKnown)} running={!finished} />
        </div>
      </div>
    </section>
  );
}

/** Shows a match in play on the table. Opens the match's event stream. */
export function LiveTable({ jobId, ...rest }: Props) {
  const view = useLiveJob(jobId, 'Running');
  return <LiveTableView jobId={jobId} view={view} {...rest} />;
}
