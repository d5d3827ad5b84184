import type { Readable } from 'node:stream';

const maxChars = 16 * 1024;

/** Calls `onLine` for each line of a stream. Longer lines than `maxChars` are split, which bounds the memory. */
export function onLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    if (rest.length > maxChars) {
      onLine(rest);
      rest = '';
    }
  });
  stream.on('end', () => {
    if (rest !== '') onLine(rest);
  });
  stream.on('error', () => undefined);
}
