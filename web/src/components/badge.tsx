import type { ReactNode } from 'react';
import './feedback.css';

export type BadgeColor = 'accent' | 'green' | 'yellow' | 'red' | 'cyan' | 'grey';

export function Badge({ color = 'accent', children }: { color?: BadgeColor; children: ReactNode }) {
  return <span className={`badge badge-${color}`}>{children}</span>;
}

const STATUS_COLORS: Record<string, BadgeColor> = {
  completed: 'green',
  finished: 'green',
  pending: 'yellow',
  running: 'cyan',
  failed: 'red',
};

/** Shows a job's status as text on a colour: green succeeded, yellow waits, cyan runs, red failed. */
export function StatusBadge({ status }: { status: string }) {
  return <Badge color={STATUS_COLORS[status.toLowerCase()] ?? 'grey'}>{status}</Badge>;
}

/** Marks matches that are running. */
export function LiveMark() {
  return (
    <span className="live-mark">
      <span className="live-dot" aria-hidden="true" />
      LIVE
    </span>
  );
}
