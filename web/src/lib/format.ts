const money = new Intl.NumberFormat('en-US', { minimumFractionDigits: 0, maximumFractionDigits: 2 });
const dateTime = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const dayOfYear = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
const dateTimeWithSeconds = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** Formats a change of money with its sign: '+1,234', '-50', '0'. */
export function formatDelta(value: number): string {
  return value > 0 ? `+${money.format(value)}` : money.format(value);
}

export function formatNumber(value: number): string {
  return money.format(value);
}

/** Returns the colour class of a score: green above zero, red below, grey at zero. */
export function deltaClass(value: number): 'positive' | 'negative' | 'neutral' {
  if (value > 0) return 'positive';
  return value < 0 ? 'negative' : 'neutral';
}

/** Parses a time to milliseconds since 1970; without a zone it is UTC. Returns null if there is none or it is invalid. */
export function parseTime(text: string | null | undefined): number | null {
  if (!text) return null;
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) || !text.includes('T') ? text : `${text}Z`;
  const time = Date.parse(zoned);
  return Number.isNaN(time) ? null : time;
}

/** Formats a time in the user's zone, or '—'. */
export function formatTime(text: string | null | undefined): string {
  const time = parseTime(text);
  return time === null ? '—' : dateTime.format(time);
}

/** Formats a day in the user's zone: 'Nov 27', with the year if it is not that of `now`; '—' without a time. */
export function formatDay(text: string | null | undefined, now: number): string {
  const time = parseTime(text);
  if (time === null) return '—';
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? day : dayOfYear).format(time);
}

/** Formats a time to the second in the user's zone, or '—'. */
export function formatTimeWithSeconds(text: string | null | undefined): string {
  const time = parseTime(text);
  return time === null ? '—' : dateTimeWithSeconds.format(time);
}

/** Formats a size: '512 B', '1.5 KiB', '1 MiB'. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KiB'] : [bytes / 1024 / 1024, 'MiB'];
  return `${Math.round(size * 10) / 10} ${unit}`;
}

/** Shortens an id for narrow columns. */
export function shortId(id: string): string {
  return id.length > 13 ? `${id.slice(0, 8)}…` : id;
}
