import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { LiveMark } from '../components/badge.tsx';
import { formatNumber } from '../lib/format.ts';
import { useNow } from '../lib/visible.ts';
import { situationKey } from '../table/analysis/situations.ts';
import { formatChips } from '../table/chips.ts';
import { describeStep } from '../table/descriptions.ts';
import { PokerTable } from '../table/poker-table.tsx';
import { verdictsAt } from '../table/replay-state.ts';
import { Controls, PauseButton } from './controls.tsx';
import { GrowingChart } from './growing-chart.tsx';
import type { OnAir, Settings } from './play.ts';
import { Standing, standingAfter } from './standing.tsx';
import { matchState, progressOf } from './state.ts';
import { useBroadcast } from './use-broadcast.ts';
import { useInsights } from './use-insights.ts';
import type { LiveView } from './use-live-job.ts';
import './broadcast.css';

export type BroadcastProps = {
  /** Identifies what is shown; another value starts again. */
  turn: string;
  view: LiveView;
  /** Change of equity times pot by hand, where it is known. */
  swings: ReadonlyMap<number, number>;
  /** Returns the log of a bundled hand; otherwise hands come from the server. */
  bundled?: ((gameId: string) => unknown) | undefined;
  status?: string | undefined;
  queuePosition?: number | null | undefined;
  /** Heading, such as a link to the match. */
  title?: ReactNode;
  /** 'page': with controls; 'small': table and line only; 'screen': for a hall, with a strip that names hand, pot, street and action. */
  kind?: 'page' | 'small' | 'screen';
  /** Replaces the sentence about the state. */
  note?: string | undefined;
  /** Called when all of an ended match was shown, or with false when it may not be shown. */
  onEnd?: (shown: boolean) => void;
};

/** The least height of the table. */
const MIN_REM = { page: 20, small: 28 };

const startSettings = (): Settings => ({
  length: 3,
  paused: false,
  reducedMotion: window.matchMedia('(prefers-reduced-motion: reduce)').matches,
  jump: 0,
});

/** Shows a match, running or finished, as the director's programme. */
export function Broadcast(props: BroadcastProps) {
  const { turn, view, swings, bundled, status, queuePosition, title, kind = 'page', note, onEnd } = props;
  const [settings, setSettings] = useState(startSettings);
  const [again, setAgain] = useState(0);
  const { job } = view;
  const air = useBroadcast(`${turn} ${again}`, { job, settings, swings, bundled });
  const nowMs = useNow(1_000);
  const state = matchState({ view, status, queuePosition, air, paused: settings.paused, nowMs });
  const { onAir, finished } = air;
  const section = useRef<HTMLElement>(null);
  useFeltHeight(section, kind === 'screen' || state.refused ? null : MIN_REM[kind]);
  const over = finished || state.refused;
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    if (over) end.current?.(finished);
  }, [over, finished]);

  if (state.refused) {
    return (
      <section className="broadcast broadcast-empty" aria-label="Broadcast">
        <p role="status">{state.sentence}</p>
        <Link to="/games">Watch another match</Link>
      </section>
    );
  }
  const change = (changed: Partial<Settings>) => setSettings((before) => ({ ...before, ...changed }));
  const known = onAir?.known ?? 0;
  const { played, shown, total } = progressOf(view, known);
  const live = job.ended === null && view.state === 'live' && played > 0;
  return (
    <section ref={section} className={`broadcast broadcast-${kind}`} aria-label="Broadcast">
      <div className="broadcast-head">
        {live && <LiveMark />}
        {title}
        {onAir !== null && (
          <Link className="broadcast-hand mono-number" to={`/replay/${encodeURIComponent(onAir.gameId)}`}>
            Hand {formatNumber(onAir.hand)} of {formatNumber(total)}
          </Link>
        )}
        <p className="broadcast-state muted" role="status">
          {note ?? state.sentence}
        </p>
        {kind === 'small' && <PauseButton paused={settings.paused} onChange={change} />}
      </div>
      {kind !== 'small' && (
        <Controls
          settings={settings}
          finished={finished}
          atNewest={onAir === null || onAir.hand >= job.hands.length}
          onChange={change}
          onAgain={() => setAgain((count) => count + 1)}
        />
      )}
      <div
        className="broadcast-bar"
        role="progressbar"
        aria-label="Hands played"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={played}
      >
        <span style={{ inlineSize: `${(100 * played) / total}%` }} />
        <span style={{ inlineSize: `${(100 * shown) / total}%` }} />
      </div>
      <div className="broadcast-felt">
        {onAir !== null ? <Table onAir={onAir} /> : status !== 'Pending' && <Place />}
        {onAir?.skip && (
          <p className="broadcast-skip">
            <bdi>{onAir.skip}</bdi>
          </p>
        )}
      </div>
      {kind === 'screen' && <p className="broadcast-strip">{onAir !== null && <Strip onAir={onAir} />}</p>}
      {kind !== 'small' && (
        <div className="broadcast-side">
          <GrowingChart job={job} known={known} />
          <Standing rows={standingAfter(job, known)} />
        </div>
      )}
    </section>
  );
}

/** Takes the place of the table before the first hand. */
const Place = () => (
  <div className="felt" aria-hidden="true">
    <div className="felt-floor" />
    <p className="felt-line">&nbsp;</p>
  </div>
);

function Table({ onAir }: { onAir: OnAir }) {
  const { game, state } = onAir;
  const insights = useInsights(onAir);
  return (
    <PokerTable
      game={game}
      state={state}
      showCards
      insight={insights.get(situationKey(game, state)) ?? null}
      verdicts={verdictsAt(game, state)}
    />
  );
}

function Strip({ onAir }: { onAir: OnAir }) {
  const { hand, game, state } = onAir;
  return (
    <>
      <span>Hand {formatNumber(hand)}</span>
      {onAir.skip === null && (
        <>
          <span>Pot {formatChips(state.potLeft)}</span>
          <span>{state.roundName}</span>
          <bdi>{describeStep(game, state)}</bdi>
        </>
      )}
    </>
  );
}

const MAX_REM = 44;

/**
 * Sizes the table so that it ends with the window, wherever the page puts it: `--felt-height` of the element. At most 44 rem high, and at least `minRem`; null does not size it.
 */
function useFeltHeight(section: RefObject<HTMLElement | null>, minRem: number | null): void {
  useLayoutEffect(() => {
    const element = section.current;
    if (minRem === null || element === null) return;
    const fit = () => {
      const place = element.querySelector('.broadcast-felt');
      if (place === null) return;
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const [felt, floor] = [
        place.querySelector<HTMLElement>('.felt'),
        place.querySelector<HTMLElement>('.felt-floor'),
      ];
      // What the table has below its floor.
      const extra = felt && floor ? felt.offsetHeight - floor.offsetHeight : 0;
      const left = window.innerHeight - (place.getBoundingClientRect().top + window.scrollY) - extra - rem / 2;
      const height = Math.min(MAX_REM * rem, Math.max(minRem * rem, Math.floor(left)));
      element.style.setProperty('--felt-height', `${height}px`);
    };
    fit();
    // The page above the table may change; the table itself changes only below it, so that this ends.
    const observer = new ResizeObserver(fit);
    observer.observe(document.body);
    window.addEventListener('resize', fit);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', fit);
    };
  }, [section, minRem]);
}
