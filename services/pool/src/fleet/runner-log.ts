import { createWriteStream, fstatSync, openSync, renameSync, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

const maxLineChars = 8 * 1024;
const ringBytes = 512 * 1024;
const fileBytes = 4 * 1024 * 1024;

/** Keeps a runner's last lines in memory and writes all lines to a file, which is rotated once when it is full. */
export class RunnerLog {
  readonly #path: string;
  readonly #onError: (error: Error) => void;
  #lines: { text: string; bytes: number }[] = [];
  #bytes = 0;
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
    const bytes = Buffer.byteLength(text);
    this.#lines.push({ text, bytes });
    this.#bytes += bytes;
    let surplus = 0;
    while (this.#bytes > ringBytes) {
      this.#bytes -= (this.#lines[surplus] as { bytes: number }).bytes;
      surplus += 1;
    }
    if (surplus > 0) this.#lines = this.#lines.slice(surplus);
    this.#write(text, bytes);
  }

  /** Returns the last whole lines that fit into `maxBytes`. */
  tail(maxBytes: number): string {
    let from = this.#lines.length;
    for (let room = maxBytes; from > 0; from--) {
      room -= (this.#lines[from - 1] as { bytes: number }).bytes;
      if (room < 0) break;
    }
    return this.#lines
      .slice(from)
      .map((line) => line.text)
      .join('');
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
    // The old stream continues to write to the renamed file.
    renameSync(this.#path, `${this.#path}.1`);
    this.#open();
  }
}
