import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/feedback.tsx';
import { Panel } from '../../components/page.tsx';
import { formatNumber } from '../../lib/format.ts';
import type { GameRow } from '../../lib/types.ts';
import type { PlayerSeries } from '../../performance/series.ts';
import { useSession } from '../../session/session.ts';
import { HandMinimap } from './hand-minimap.tsx';
import {
  EMPTY_QUERY,
  type HandEntry,
  type HandOrder,
  type HandQuery,
  isFiltered,
  netsOf,
  queryOf,
  selectHands,
  withQuery,
} from './hand-query.ts';
import { HandRow } from './hand-row.tsx';
import { HandToolbar } from './hand-toolbar.tsx';
import { useHandEntries, useHandSummaries } from './use-hand-entries.ts';
import './hands.css';

const NEXT: Partial<Record<HandOrder, HandOrder>> = { none: 'ascending', ascending: 'descending' };

const HAND_ORDER_LABELS: Partial<Record<HandOrder, string>> = { ascending: 'UUID ASC', descending: 'UUID DESC' };

/** Returns the text of the button that orders by number. */
export const orderLabel = (order: HandOrder): string => HAND_ORDER_LABELS[order] ?? 'SORT BY UUID';

/** Returns the next order by number: none, ascending, descending. Any other order is followed by ascending. */
export const nextHandOrder = (order: HandOrder): HandOrder =>
  order === 'descending' ? 'none' : (NEXT[order] ?? 'ascending');

/** Returns the hand's number in an address's hash ('#game-17'), else null. */
export function handOfHash(hash: string): number | null {
  const number = /^#game-(\d{1,9})$/.exec(hash)?.[1];
  return number === undefined ? null : Number(number);
}

// Estimates; rows are measured when they are rendered.
const ROW_PX = 64;
const NARROW_ROW_PX = 190;
const NARROW = '(max-width: 1100px)';
const SCROLL_DELAY_MS = 500;
const HIGHLIGHT_MS = 3_000;

/** Scrolls to the hand of the address after 0.5 s and marks it for 3 s, once per address. Returns the marked hand. */
function useHashHand(hands: readonly HandEntry[], scrollTo: (index: number) => void): number | null {
  const { hash, key } = useLocation();
  const [marked, setMarked] = useState<number | null>(null);
  const done = useRef('');
  const target = handOfHash(hash);
  const index = hands.findIndex((hand) => hand.number === target);
  const latest = useRef({ index, scrollTo });
  latest.current = { index, scrollTo };
  const visit = index < 0 ? '' : `${key}${hash}`;

  useEffect(() => {
    if (visit === '' || visit === done.current) return;
    const start = setTimeout(() => {
      done.current = visit;
      latest.current.scrollTo(latest.current.index);
      setMarked(handOfHash(window.location.hash));
    }, SCROLL_DELAY_MS);
    return () => clearTimeout(start);
  }, [visit]);

  useEffect(() => {
    if (marked === null) return;
    const end = setTimeout(() => setMarked(null), HIGHLIGHT_MS);
    return () => clearTimeout(end);
  }, [marked]);
  return marked;
}

type Props = {
  jobId: string;
  hands: readonly GameRow[];
  series: readonly PlayerSeries[];
  /** Whether the hands come from the stream. */
  running: boolean;
  batchLabel: string;
};

/** Lists the hands of a match with filters, orders and a map of the pots; only visible rows are rendered. */
export const HandList = memo(function HandList({ jobId, hands, series, running, batchLabel }: Props) {
  const { user } = useSession();
  const [params, setParams] = useSearchParams();
  const players = useMemo(() => series.map(({ name }) => name), [series]);
  const own = user !== null && players.includes(user.username) ? user.username : '';
  const query = queryOf(params, players);
  const player = query.player === '' ? own : query.player;
  const entries = useHandEntries(jobId, hands, series, running);
  const net = useMemo(() => netsOf(series, player), [series, player]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parameters determine the query
  const selected = useMemo(() => selectHands(entries, query, net), [entries, net, params]);
  const change = (next: HandQuery) => setParams(withQuery(params, next), { replace: true, preventScrollReset: true });

  const scroller = useRef<HTMLDivElement>(null);
  const [rowPx] = useState(() => (window.matchMedia(NARROW).matches ? NARROW_ROW_PX : ROW_PX));
  const rows = useVirtualizer({
    count: selected.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => selected[index]?.number ?? index,
    overscan: 6,
  });
  const visible = rows.getVirtualItems();
  const summaries = useHandSummaries(
    jobId,
    visible.flatMap(({ index }) => selected[index]?.number ?? []),
    !running,
  );
  const marked = useHashHand(selected, (index) => {
    scroller.current?.scrollIntoView({ block: 'center' });
    rows.scrollToIndex(index, { align: 'center' });
  });
  const jump = useJump(
    selected,
    (index) => rows.scrollToIndex(index, { align: 'center' }),
    () => {
      const byNumber = query.order === 'ascending' || query.order === 'descending' ? query.order : 'none';
      if (isFiltered(query) || byNumber !== query.order)
        change({ ...EMPTY_QUERY, player: query.player, order: byNumber });
    },
  );
  const count = formatNumber(selected.length);
  return (
    <Panel
      title={`Hands (${formatNumber(hands.length)})`}
      flush
      actions={
        <Button small variant="secondary" onClick={() => change({ ...query, order: nextHandOrder(query.order) })}>
          {orderLabel(query.order)}
        </Button>
      }
    >
      <HandToolbar
        query={query}
        onChange={change}
        players={players}
        own={own}
        hands={hands.length}
        onJump={(number) => {
          jump.to(number);
          scroller.current?.scrollIntoView({ block: 'nearest' });
        }}
      />
      {hands.length > 1 && <HandMinimap hands={entries} onJump={jump.to} />}
      <p className="hand-count" role="status">
        {isFiltered(query) ? `${count} of ${formatNumber(hands.length)} hands` : ''}
      </p>
      {selected.length === 0 && <EmptyState title="No hand passes these filters" />}
      <div className="hand-head" aria-hidden="true">
        <span>Hand</span>
        <span>Winner</span>
        <span>Board</span>
        <span>Street</span>
        <span className="hand-pot">Pot</span>
        <span className="hand-net">{player === '' ? '' : 'Net'}</span>
        <span />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled list must be reachable by keyboard */}
      <section className="hand-scroller" ref={scroller} tabIndex={0} aria-label="Hands of this match">
        <ul className="hand-list" style={{ height: rows.getTotalSize() }}>
          {visible.map((row) => {
            const hand = selected[row.index];
            if (hand === undefined) return null;
            return (
              <li
                key={row.key}
                id={`game-${hand.number}`}
                ref={rows.measureElement}
                data-index={row.index}
                aria-setsize={selected.length}
                aria-posinset={row.index + 1}
                className={[marked, jump.marked].includes(hand.number) ? 'hand-row hand-row-marked' : 'hand-row'}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <HandRow
                  hand={hand}
                  summary={summaries.get(hand.number)}
                  player={player}
                  net={net?.(hand.number) ?? null}
                  batchLabel={batchLabel}
                />
              </li>
            );
          })}
        </ul>
      </section>
    </Panel>
  );
});

/** Scrolls to a hand and marks it until the next jump. `showAll` removes filters and orders that would hide or displace it. */
function useJump(selected: readonly HandEntry[], scrollTo: (index: number) => void, showAll: () => void) {
  const [target, setTarget] = useState<{ readonly number: number } | null>(null);
  const index = target === null ? -1 : selected.findIndex(({ number }) => number === target.number);
  const latest = useRef(scrollTo);
  latest.current = scrollTo;
  // A repeated jump to the same hand is a new target.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (index >= 0) latest.current(index);
  }, [index, target]);
  return {
    marked: target?.number ?? null,
    to(number: number) {
      setTarget({ number });
      showAll();
    },
  };
}
