/** The event as specified: its banner, which follows another window if the organisers set one, and its window. */
export const specifiedEvent = {
  banner: 'This test phase is the development phase. The official start is in July 2025.',
  start: Date.parse('2025-07-12T00:00:00-07:00'),
  end: Date.parse('2025-07-21T23:59:59-07:00'),
} as const;

/** Whether an event is as specified: the window, in milliseconds since 1970, and open. */
export const isSpecified = (window: { readonly start: number; readonly end: number }, frozen: boolean): boolean =>
  !frozen && window.start === specifiedEvent.start && window.end === specifiedEvent.end;
