import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Panel } from '../../components/page.tsx';
import { toast } from '../../components/toast-store.ts';
import { api } from '../../lib/api.ts';
import { saveText } from '../../lib/download.ts';
import type { GameRow } from '../../lib/types.ts';

export type HandOrder = 'none' | 'ascending' | 'descending';

const NEXT: Record<HandOrder, HandOrder> = { none: 'ascending', ascending: 'descending', descending: 'none' };

export const HAND_ORDER_LABELS: Record<HandOrder, string> = {
  none: 'SORT BY UUID',
  ascending: 'UUID ASC',
  descending: 'UUID DESC',
};

export const nextHandOrder = (order: HandOrder): HandOrder => NEXT[order];

/** Sorts hands by number; 'none' keeps the server's order. */
export function sortHands(hands: readonly GameRow[], order: HandOrder): readonly GameRow[] {
  if (order === 'none') return hands;
  const sign = order === 'ascending' ? 1 : -1;
  return [...hands].sort((a, b) => sign * (Number(a.game_uuid) - Number(b.game_uuid)));
}

/** Returns the hand's number in an address's hash ('#game-17'), else null. */
export function handOfHash(hash: string): string | null {
  return /^#game-([\w-]{1,64})$/.exec(hash)?.[1] ?? null;
}

const ROW_PX = 64;
const SCROLL_DELAY_MS = 500;
const HIGHLIGHT_MS = 3_000;

type Props = { hands: readonly GameRow[]; batchLabel: string };

async function downloadLog(gameId: string): Promise<void> {
  try {
    const response = await api.get('/live/game/{id}', { params: { id: gameId } });
    saveText(JSON.stringify(response.game_data, null, 2), `game_${gameId}.json`, 'application/json');
  } catch {
    toast.error('Failed to download raw log.');
  }
}

function HandRow({ hand, batchLabel }: { hand: GameRow; batchLabel: string }) {
  return (
    <>
      <span className="hand-number">Hand #{hand.game_uuid}</span>
      <span className="hand-id wrap-name">{hand.game_id}</span>
      <span className="hand-batch">{batchLabel}</span>
      <span className="hand-actions">
        <Button
          small
          variant="ghost"
          aria-label={`Get Raw Log of hand ${hand.game_uuid}`}
          onClick={() => void downloadLog(hand.game_id)}
        >
          Get Raw Log
        </Button>
        <ButtonLink small variant="secondary" to={`/replay/${encodeURIComponent(hand.game_id)}`}>
          View Hand<span className="visually-hidden"> {hand.game_uuid}</span>
        </ButtonLink>
      </span>
    </>
  );
}

/** Scrolls to the hand of the address after 0.5 s and marks it for 3 s. Once per address. */
function useHashHand(hands: readonly GameRow[], scrollTo: (index: number) => void): string | null {
  const { hash, key } = useLocation();
  const [marked, setMarked] = useState<string | null>(null);
  const done = useRef('');
  const index = hands.findIndex((hand) => hand.game_uuid === handOfHash(hash));
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

/** Lists all hands of a match; only visible rows are rendered. */
export function HandList({ hands, batchLabel }: Props) {
  const [order, setOrder] = useState<HandOrder>('none');
  const sorted = useMemo(() => sortHands(hands, order), [hands, order]);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => sorted[index]?.game_uuid ?? index,
    overscan: 6,
  });
  const marked = useHashHand(sorted, (index) => {
    scroller.current?.scrollIntoView({ block: 'center' });
    rows.scrollToIndex(index, { align: 'center' });
  });

  return (
    <Panel
      title={`Hands (${hands.length.toLocaleString('en-US')})`}
      flush
      actions={
        <Button small variant="secondary" onClick={() => setOrder(nextHandOrder(order))}>
          {HAND_ORDER_LABELS[order]}
        </Button>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled list must be reachable by keyboard */}
      <section className="hand-scroller" ref={scroller} tabIndex={0} aria-label="Hands of this match">
        <ul className="hand-list" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((row) => {
            const hand = sorted[row.index];
            if (hand === undefined) return null;
            return (
              <li
                key={row.key}
                id={`game-${hand.game_uuid}`}
                ref={rows.measureElement}
                data-index={row.index}
                aria-setsize={sorted.length}
                aria-posinset={row.index + 1}
                className={marked === hand.game_uuid ? 'hand-row hand-row-marked' : 'hand-row'}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <HandRow hand={hand} batchLabel={batchLabel} />
              </li>
            );
          })}
        </ul>
      </section>
    </Panel>
  );
}
