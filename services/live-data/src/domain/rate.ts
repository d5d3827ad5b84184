interface Sample {
  readonly atMs: number;
  readonly hands: number;
}

/** Speed of a running match over the last `windowMs`, from samples of the number of played hands. */
export class HandRate {
  readonly #windowMs: number;
  #samples: Sample[] = [];

  /** `startedAtMs` is when the attempt began with no hands. */
  constructor(startedAtMs: number, windowMs = 5000) {
    this.#windowMs = windowMs;
    this.#samples.push({ atMs: startedAtMs, hands: 0 });
  }

  add(atMs: number, hands: number): void {
    this.#samples.push({ atMs, hands });
    while (this.#samples.length > 2 && (this.#samples[1] as Sample).atMs <= atMs - this.#windowMs)
      this.#samples.shift();
  }

  /** Hands per second; 0 with less than two samples. */
  get handsPerSecond(): number {
    const first = this.#samples[0] as Sample;
    const last = this.#samples.at(-1) as Sample;
    const ms = last.atMs - first.atMs;
    return ms > 0 ? ((last.hands - first.hands) * 1000) / ms : 0;
  }

  /** Seconds until `total` hands at this speed; 0 when the speed is unknown. */
  secondsLeft(total: number): number {
    const speed = this.handsPerSecond;
    const last = this.#samples.at(-1) as Sample;
    return speed > 0 ? Math.max(0, total - last.hands) / speed : 0;
  }
}
