const MAX_NAME_LENGTH = 300;

// Control characters, and marks that change the direction of the text after them.
const UNPRINTABLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Cleans a name for display: removes control and direction marks, cuts it to 300 characters, never returns ''. */
export function cleanName(value: unknown, fallback: string): string {
  if (typeof value !== 'string') return fallback;
  const clean = value.replace(UNPRINTABLE, '').trim();
  return clean === '' ? fallback : Array.from(clean).slice(0, MAX_NAME_LENGTH).join('');
}

/** Cuts a text to `length` characters and an ellipsis. Counts characters, not UTF-16 units. */
export function truncate(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : text;
}
