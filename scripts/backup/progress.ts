const intervalMs = 2000;

const formatMib = (bytes: number) => (bytes / 2 ** 20).toFixed(0);

/** Prints the progress of an operation on a known number of bytes, at most every 2 s. */
export class Progress {
  readonly #operation: string;
  readonly #print: (line: string) => void;
  readonly #startedMs = performance.now();
  #total = 0;
  #done = 0;
  #printedAtMs = performance.now();

  constructor(operation: string, print: (line: string) => void) {
    this.#operation = operation;
    this.#print = print;
  }

  expect(totalBytes: number): void {
    this.#total = totalBytes;
  }

  add(bytes: number): void {
    this.#done += bytes;
    const now = performance.now();
    if (now - this.#printedAtMs < intervalMs) return;
    this.#printedAtMs = now;
    const percent = this.#total === 0 ? 0 : Math.min(100, (100 * this.#done) / this.#total);
    this.#print(
      `${this.#operation}: ${percent.toFixed(0)} %, ${formatMib(this.#done)} of about ${formatMib(this.#total)} MiB`,
    );
  }

  /** Returns the size and duration of the operation. */
  summary(): string {
    return `${formatMib(this.#done)} MiB in ${((performance.now() - this.#startedMs) / 1000).toFixed(1)} s`;
  }
}
