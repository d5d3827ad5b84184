import { botFile } from './world.ts';

export const failingLine = 'raise KeyError(3)  # née ♠';

/** Returns the calling station with a line that raises an exception in each decision, and the number of that line. */
export function failingBot(): { text: string; line: number } {
  const text = botFile('calling-station', 'player.py').replace(
    /( +)def get_action\([^\n]*\n/,
    (line, indent: string) => `${line}${indent}    ${failingLine}\n`,
  );
  return { text, line: text.split('\n').findIndex((line) => line.includes(failingLine)) + 1 };
}

/** Returns the files of the failing bot for a file field. */
export const failingFiles = () =>
  [
    { name: 'player.py', text: failingBot().text },
    { name: 'requirements.txt', text: '' },
  ].map(({ name, text }) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) }));
