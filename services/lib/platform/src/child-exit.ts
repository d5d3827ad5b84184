import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';

const tailLines = 20;

/** Passes a server's lines on and resolves when it has ended, with its exit code and the last of its lines. */
export function childExit(
  child: ChildProcessByStdio<null, Readable, Readable>,
  onLog: ((line: string) => void) | undefined,
): Promise<{ code: number | null; tail: string }> {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n').filter((part) => part !== '')) {
        lines.push(line);
        if (lines.length > tailLines) lines.shift();
        onLog?.(line);
      }
    });
  }
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, tail: lines.join('\n') }));
  });
}
