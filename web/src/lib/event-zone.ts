/** The zone of the event, in which its times are shown and picked. */
export const EVENT_ZONE = 'America/Los_Angeles';
export const EVENT_ZONE_NAME = 'Pacific time';

const parts = new Intl.DateTimeFormat('sv-SE', {
  timeZone: EVENT_ZONE,
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** Formats a time for a picker, in the event's zone: 2025-07-21T23:59:59, without seconds if they are 0. Returns '' for an invalid one. */
export function wallTime(time: string): string {
  const instant = Date.parse(time);
  if (Number.isNaN(instant)) return '';
  return parts.format(instant).replace(' ', 'T').replace(/:00$/, '');
}

/** Returns the instant of a picked time of the event's zone in RFC 3339, or '' for none, and while the digits of the year are typed. A time that the clocks skip is an hour earlier. */
export function instantOf(wall: string): string {
  const asUtc = Date.parse(`${wall}Z`);
  if (!(asUtc > Date.UTC(1900))) return '';
  const behindAt = (instant: number) => asUtc - Date.parse(`${wallTime(new Date(instant).toISOString())}Z`);
  const first = asUtc + behindAt(asUtc);
  return new Date(first + behindAt(first)).toISOString();
}
