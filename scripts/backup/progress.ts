const everyMs = 2000;

const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(0);

/** Prints how much of a total has been done, at most every 2 s. */
export class Progress {
  readonly #what: string;
  readonly #say: (line: string) => void;
  readonly #began = performance.now();
  #total = 0;
  #done = 0;
  #printed = performance.now();

  constructor(what: string, say: (line: string) => void) {
    this.#what = what;
    this.#say = say;
  }

  expect(totalBytes: number): void {
    this.#total = totalBytes;
  }

  add(bytes: number): void {
    this.#done += bytes;
    const now = performance.now();
    if (now - this.#printed < everyMs) return;
    this.#printed = now;
    const percent = this.#total === 0 ? 0 : Math.min(100, (100 * this.#done) / this.#total);
    this.#say(`${this.#what}: ${percent.toFixed(0)} %, ${mib(this.#done)} of about ${mib(this.#total)} MiB`);
  }

  /** Returns the sum and the time, for the last line. */
  summary(): string {
    return `${mib(this.#done)} MiB in ${((performance.now() - this.#began) / 1000).toFixed(1)} s`;
  }
}
