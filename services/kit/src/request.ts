import { KitError } from './wire.ts';

const maxRequestLength = 8 << 20;

/**
 * Reads the request: a JSON object on the first line of standard input. With `"lifeline": true` in it, standard input stays open
 * while the caller lives, and its end aborts `stop`. SIGINT and SIGTERM always abort it. Throws KitError for another form.
 */
export async function readRequest(stop: AbortController): Promise<Readonly<Record<string, unknown>>> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const request = parse(await firstLine());
  if (request.lifeline === true) {
    process.stdin.once('end', () => stop.abort());
    process.stdin.once('error', () => stop.abort());
    process.stdin.resume();
  }
  return request;
}

function firstLine(): Promise<string> {
  return new Promise((resolve, reject) => {
    const { stdin } = process;
    let text = '';
    const finish = () => {
      stdin.off('data', onData);
      stdin.off('end', finish);
      stdin.pause();
      resolve(text.split('\n', 1)[0] as string);
    };
    const onData = (part: string) => {
      text += part;
      if (text.length > maxRequestLength) reject(new KitError(2, 'the request is too long'));
      else if (part.includes('\n')) finish();
    };
    stdin.setEncoding('utf8');
    stdin.on('data', onData);
    stdin.on('end', finish);
    stdin.once('error', reject);
  });
}

function parse(line: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new KitError(2, 'the request is no JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new KitError(2, 'the request is no object');
  return value as Record<string, unknown>;
}
