// Control characters but for tab and line feed; marks that change the direction of text; separators that some programs show as line ends.
const hidden = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Returns the text of a stranger with its control characters as visible escapes, so that it cannot change how other text is shown. */
export function showControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(hidden, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
  });
}
