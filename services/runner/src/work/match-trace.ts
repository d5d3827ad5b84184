import type { Assignment__Output } from '@husky/contracts/types/simulation/v1/Assignment';
import {
  contextOf,
  inContextOf,
  inSpan,
  recordSpan,
  type Span,
  SpanKind,
  SpanStatusCode,
  spanAttribute,
  startSpan,
  untraced,
} from '@husky/runtime/telemetry/trace-context';
import type { Match } from '../play/match.ts';
import type { SeatReport } from '../play/seat.ts';

/** Number of chunks of a match that get spans. A match of slow bots has thousands. */
const maxTracedChunks = 64;

/** Records the spans of one attempt in the trace of its job. Decisions and hands have no spans of their own. */
export class MatchTrace {
  readonly #span: Span;
  #chunks = 0;
  #seatsStartedAtMs = 0;

  constructor({ jobId, attempt, traceparent, numRounds, seats }: Assignment__Output, runner: string) {
    this.#span = startSpan('play match', {
      kind: SpanKind.CONSUMER,
      parent: contextOf(traceparent),
      attributes: {
        [spanAttribute.jobId]: jobId,
        [spanAttribute.attempt]: attempt,
        [spanAttribute.runner]: runner,
        'husky.hands': numRounds,
        'husky.seats': seats.length,
      },
    });
  }

  /** Runs the attempt within its span and ends the span. */
  async run(work: () => Promise<void>): Promise<void> {
    try {
      await inContextOf(this.#span, work);
    } finally {
      this.#span.setAttribute('husky.chunks', this.#chunks);
      this.#span.end();
    }
  }

  /** Starts the seats. Records the loading of each bot as a span of its own. */
  startSeats(match: Pick<Match, 'start' | 'seats'>): Promise<void> {
    return inSpan('start seats', {}, async (span) => {
      this.#seatsStartedAtMs = Date.now();
      await match.start();
      inContextOf(span, () => {
        for (const { number, loadMs, out } of match.seats) {
          const settings = { attributes: { 'husky.seat': number }, startTime: this.#seatsStartedAtMs };
          const load = startSpan('load bot', settings);
          if (out !== null) load.setStatus({ code: SpanStatusCode.ERROR, message: out });
          // A bot that did not load has no loading time.
          load.end(out === null ? this.#seatsStartedAtMs + loadMs : Date.now());
        }
      });
    });
  }

  /** Wraps `send` so that each of the first chunks gets a span, a sibling of the span 'play hands'. */
  traceDelivery(send: (chunk: Buffer) => Promise<void>): (chunk: Buffer) => Promise<void> {
    return (chunk) => {
      this.#chunks += 1;
      if (this.#chunks > maxTracedChunks) return untraced(() => send(chunk));
      const attributes = { 'husky.chunk': this.#chunks, 'husky.chunk.bytes': chunk.length };
      return inContextOf(this.#span, () => inSpan('deliver hands', { attributes }, () => send(chunk)));
    };
  }

  /** Records each bot from the start of the seats to their end, with its use of resources. */
  recordBots(reports: readonly SeatReport[]): void {
    const endedAtMs = Date.now();
    for (const { seat, cpuMs, peakKib, faults, details } of reports) {
      const attributes = {
        'husky.seat': seat,
        'husky.bot.cpu_ms': Math.round(cpuMs),
        'husky.bot.peak_kib': peakKib,
        'husky.bot.faults': faults,
        'husky.bot.verdict': details.outKind ?? '',
        'husky.bot.decisions': details.times?.count ?? 0,
        'husky.bot.decision_p95_ms': details.times?.p95Ms ?? 0,
      };
      recordSpan('bot', { attributes, startTime: this.#seatsStartedAtMs }, endedAtMs);
    }
  }

  end(outcome: string): void {
    this.#span.setAttribute('husky.outcome', outcome);
  }

  fail(cause: string): void {
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message: cause });
  }
}
