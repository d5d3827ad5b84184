import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { Badge, type BadgeColor } from '../../components/badge.tsx';
import { formatTime } from '../../lib/format.ts';
import type { Container } from '../../lib/types.ts';
import './containers.css';

const ROW_PX = 44;
const PAGE_ROWS = 8;

const STATE_COLORS: Record<string, BadgeColor> = {
  active: 'green',
  acquired: 'cyan',
  starting: 'yellow',
  stopping: 'red',
};

const MAX_WAITS = 5;

/** Shows what runners wait for, the longest first. */
export function ContainerWaits({ containers }: { containers: readonly Container[] }) {
  const waits = containers.filter(({ reason }) => reason).sort((a, b) => (a.since ?? '').localeCompare(b.since ?? ''));
  if (waits.length === 0) return null;
  return (
    <ul className="container-waits">
      {waits.slice(0, MAX_WAITS).map(({ container_name: name, state, reason, since }) => (
        <li key={name}>
          {name}, {state} since {formatTime(since)}: {reason}
        </li>
      ))}
      {waits.length > MAX_WAITS && <li>and {waits.length - MAX_WAITS} more</li>}
    </ul>
  );
}

type Props = {
  containers: readonly Container[];
  /** The port of the chosen container, or ''. */
  chosen: string;
  onChoose: (port: string) => void;
};

/** Shows a listbox of containers; only visible rows are rendered. Arrow keys, Page Up, Page Down, Home and End move, Enter chooses. */
export function ContainerList({ containers, chosen, onChoose }: Props) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState('');
  const rows = useVirtualizer({
    count: containers.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => containers[index]?.container_name ?? index,
    overscan: PAGE_ROWS,
  });
  const index = containers.findIndex(({ container_name: name }) => name === current);

  const move = (to: number) => {
    const next = Math.min(containers.length - 1, Math.max(0, to));
    setCurrent(containers[next]?.container_name ?? '');
    rows.scrollToIndex(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + PAGE_ROWS,
      PageUp: index - PAGE_ROWS,
      Home: 0,
      End: containers.length - 1,
    };
    const to = moves[event.key];
    const row = containers[index];
    if (to !== undefined) move(to);
    else if ((event.key === 'Enter' || event.key === ' ') && row !== undefined) onChoose(String(row.port));
    else return;
    event.preventDefault();
  };

  return (
    <div
      className="container-scroller"
      ref={scroller}
      role="listbox"
      tabIndex={0}
      aria-label="Containers"
      {...(index >= 0 ? { 'aria-activedescendant': `${id}-${current}` } : {})}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className="container-rows" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => {
          const container = containers[row.index];
          if (container === undefined) return null;
          const { container_name: name, port, state, job_id: jobId } = container;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles the keys
            <div
              key={row.key}
              id={`${id}-${name}`}
              role="option"
              tabIndex={-1}
              aria-selected={String(port) === chosen}
              aria-setsize={containers.length}
              aria-posinset={row.index + 1}
              className={name === current ? 'container-row container-row-current' : 'container-row'}
              style={{ transform: `translateY(${row.start}px)`, height: ROW_PX }}
              onClick={() => {
                setCurrent(name);
                onChoose(String(port));
              }}
            >
              <span className="container-name">{name}</span>
              <Badge color={STATE_COLORS[state] ?? 'grey'}>{state}</Badge>
              <span className="container-match">{jobId ? `match ${jobId}` : ''}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
