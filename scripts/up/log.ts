const ansiColours = [36, 33, 32, 35, 34, 96, 93, 92, 95, 94];
const tty = process.stdout.isTTY === true;
const width = 12;
let next = 0;
const colourOf = new Map<string, number>();

function prefix(part: string): string {
  const label = part.padEnd(width);
  if (!tty) return label;
  let colour = colourOf.get(part);
  if (colour === undefined) {
    colour = ansiColours[next++ % ansiColours.length] ?? 37;
    colourOf.set(part, colour);
  }
  return `\u001b[${colour}m${label}\u001b[0m`;
}

/** Prints each line of a text with time and part. */
export function print(part: string, text: string): void {
  const time = new Date().toISOString().slice(11, 19);
  for (const line of text.split('\n')) process.stdout.write(`${time} ${prefix(part)} ${line}\n`);
}

interface LogRecord {
  level?: string;
  msg?: string;
  err?: { message?: string; stack?: string };
}

function parseRecord(line: string): LogRecord | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as LogRecord;
  } catch {
    return undefined;
  }
}

/** Prints a line of a service: JSON log records in readable form, other text unchanged. */
export function relay(part: string, line: string): void {
  const record = parseRecord(line);
  if (!record) {
    print(part, line);
    return;
  }
  const level = record.level === 'info' || record.level === undefined ? '' : `${record.level.toUpperCase()} `;
  const stack = record.level === 'error' || record.level === 'fatal' ? `\n${record.err?.stack ?? ''}` : '';
  print(part, `${level}${record.msg ?? line}${stack.trimEnd()}`);
}
