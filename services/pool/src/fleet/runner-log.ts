import { createWriteStream, fstatSync, openSync, renameSync, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

const maxLineChars = 8 * 1024;
const ringBytes = 512 * 1024;
const fileBytes = 4 * 1024 * 1024;
const newline = 10;

/**
 * Keeps a runner's last lines in memory and writes all lines to a file, which is rotated once when it is full. The lines are bytes of a ring:
 * as strings they took several times as much of the heap, which grew until the ring was full.
 */
export class RunnerLog {
  readonly #path: string;
  readonly #onError: (error: Error) => void;
  readonly #ring = Buffer.alloc(ringBytes);
  /** Number of bytes that were added; the next one is at this number modulo the size of the ring. */
  #added = 0;
  #file: WriteStream | null = null;
  #written = 0;
  /** Resolves when all rotated files are written. */
  #rotated: Promise<void> = Promise.resolve();

  constructor(path: string, onError: (error: Error) => void) {
    this.#path = path;
    this.#onError = onError;
    this.#open();
  }

  /** Adds a line of a process, prefixed with its name and cut to 8 Ki characters. */
  add(source: string, line: string): void {
    const cut = line.length > maxLineChars ? `${line.slice(0, maxLineChars)} [… cut …]` : line;
    const text = `${source} | ${cut}\n`;
    const bytes = Buffer.from(text);
    const at = this.#added % ringBytes;
    const atStart = bytes.subarray(bytes.copy(this.#ring, at));
    atStart.copy(this.#ring);
    this.#added += bytes.length;
    this.#write(text, bytes.length);
  }

  /** Returns the last whole lines that fit into `maxBytes`. */
  tail(maxBytes: number): string {
    const size = Math.min(maxBytes, this.#added, ringBytes);
    const end = this.#added % ringBytes;
    const bytes = size <= end ? this.#ring.subarray(end - size, end) : this.#wrapped(size, end);
    if (size === this.#added) return bytes.toString();
    // The byte before them ends a line, or they begin within one.
    const isWhole = size < ringBytes && this.#ring[(this.#added - size - 1) % ringBytes] === newline;
    return bytes.subarray(isWhole ? 0 : bytes.indexOf(newline) + 1).toString();
  }

  #wrapped(size: number, end: number): Buffer {
    return Buffer.concat([this.#ring.subarray(ringBytes - (size - end)), this.#ring.subarray(0, end)]);
  }

  /** Resolves when the file and the rotated one are written. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    if (file !== null) this.#end(file);
    await this.#rotated;
  }

  #end(file: WriteStream): void {
    const earlier = this.#rotated;
    file.end();
    // onError has reported it.
    const ended = finished(file).catch(() => undefined);
    this.#rotated = (async () => {
      await Promise.all([earlier, ended]);
    })();
  }

  #open(): void {
    try {
      const fd = openSync(this.#path, 'a', 0o600);
      this.#written = fstatSync(fd).size;
      const file = createWriteStream(this.#path, { fd });
      file.on('error', (error) => {
        if (this.#file === file) this.#file = null;
        this.#onError(error);
      });
      this.#file = file;
    } catch (error) {
      this.#file = null;
      this.#onError(error as Error);
    }
  }

  #write(text: string, bytes: number): void {
    if (this.#file === null) return;
    this.#file.write(text);
    this.#written += bytes;
    if (this.#written < fileBytes) return;
    this.#end(this.#file);
    this.#file = null;
    try {
      // The old stream continues to write to the renamed file.
      renameSync(this.#path, `${this.#path}.1`);
    } catch (error) {
      this.#onError(error as Error);
    }
    this.#open();
  }
}
