const money = new Intl.NumberFormat('en-US', { minimumFractionDigits: 0, maximumFractionDigits: 2 });
const dateTime = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** '+1,234', '-50', '0': a change of money with its sign. */
export function formatDelta(value: number): string {
  return value > 0 ? `+${money.format(value)}` : money.format(value);
}

export function formatNumber(value: number): string {
  return money.format(value);
}

/** The colour class of a score: green above zero, red below, grey at zero. */
export function deltaClass(value: number): 'positive' | 'negative' | 'neutral' {
  if (value > 0) return 'positive';
  return value < 0 ? 'negative' : 'neutral';
}

/** Milliseconds since 1970; a time without a zone is UTC. null for none or an unreadable one. */
export function parseTime(text: string | null | undefined): number | null {
  if (!text) return null;
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) || !text.includes('T') ? text : `${text}Z`;
  const time = Date.parse(zoned);
  return Number.isNaN(time) ? null : time;
}

/** A time in the reader's zone, or '—'. */
export function formatTime(text: string | null | undefined): string {
  const time = parseTime(text);
  return time === null ? '—' : dateTime.format(time);
}

/** '512 B', '1.5 KiB', '1 MiB'. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KiB'] : [bytes / 1024 / 1024, 'MiB'];
  return `${Math.round(size * 10) / 10} ${unit}`;
}

/** An id's beginning, for narrow places. */
export function shortId(id: string): string {
  return id.length > 13 ? `${id.slice(0, 8)}…` : id;
}
