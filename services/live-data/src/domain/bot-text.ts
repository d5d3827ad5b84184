const maxTextLength = 300;

/** A bot's own words as they can be stored and shown: one line, bounded, without control characters and lone surrogates. */
export function botText(text: string, length = maxTextLength): string {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, length)
    .toWellFormed();
}
