import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Panel } from '../../components/page.tsx';
import type { GameRow } from '../../lib/types.ts';
import type { PlayerSeries } from '../../performance/series.ts';
import { useSession } from '../../session/session.ts';
import { HandMinimap } from './hand-minimap.tsx';
import {
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

/** Cycles by number: none, ascending, descending. Any other order goes on to ascending. */
export const nextHandOrder = (order: HandOrder): HandOrder =>
  order === 'descending' ? 'none' : (NEXT[order] ?? 'ascending');

/** Returns the hand's number in an address's hash ('#game-17'), else null. */
export function handOfHash(hash: string): number | null {
  const number = /^#game-(\d{1,9})$/.exec(hash)?.[1];
  return number === undefined ? null : Number(number);
}

const ROW_PX = 64;
const SCROLL_DELAY_MS = 500;
const HIGHLIGHT_MS = 3_000;

/** Scrolls to the hand of the address after 0.5 s and marks it for 3 s. Once per address. */
function useHashHand(hands: readonly HandEntry[], scrollTo: (index: number) => void): number | null {
  const { hash, key } = useLocation();
  const [marked, setMarked] = useState<number | null>(null);
  const done = useRef('');
  const wanted = handOfHash(hash);
  const index = hands.findIndex((hand) => hand.number === wanted);
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
export function HandList({ jobId, hands, series, running, batchLabel }: Props) {
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
  const rows = useVirtualizer({
    count: selected.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
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
    () => change({ ...query, order: 'none', net: '', allIn: false, showdown: false, faults: false, minPot: 0 }),
  );
  const count = selected.length.toLocaleString('en-US');
  return (
    <Panel
      title={`Hands (${hands.length.toLocaleString('en-US')})`}
      flush
      actions={
        <Button small variant="secondary" onClick={() => change({ ...query, order: nextHandOrder(query.order) })}>
          {orderLabel(query.order)}
        </Button>
      }
    >
      <HandToolbar query={query} onChange={change} players={players} own={own} hands={hands.length} onJump={jump.to} />
      {hands.length > 1 && <HandMinimap hands={entries} onJump={jump.to} />}
      <p className="hand-count" role="status">
        {isFiltered(query) ? `${count} of ${hands.length.toLocaleString('en-US')} hands` : ''}
      </p>
      {selected.length === 0 && <EmptyState title="No hand passes these filters" />}
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
}

/** Scrolls to a hand and marks it. Clears the filters first if they leave it out. */
function useJump(selected: readonly HandEntry[], scrollTo: (index: number) => void, clear: () => void) {
  const [marked, setMarked] = useState<number | null>(null);
  const index = marked === null ? -1 : selected.findIndex(({ number }) => number === marked);
  const latest = useRef(scrollTo);
  latest.current = scrollTo;
  useEffect(() => {
    if (index >= 0) latest.current(index);
  }, [index]);
  useEffect(() => {
    if (marked === null) return;
    const end = setTimeout(() => setMarked(null), HIGHLIGHT_MS);
    return () => clearTimeout(end);
  }, [marked]);
  return {
    marked,
    to(number: number) {
      setMarked(number);
      if (!selected.some((hand) => hand.number === number)) clear();
    },
  };
}
