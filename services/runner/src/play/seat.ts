import { createHistogram } from 'node:perf_hooks';
import type { DecisionTimes as DecisionTimesMessage } from '@husky/contracts/types/live/v1/DecisionTimes';
import type { FailedCalls as FailedCallsMessage } from '@husky/contracts/types/live/v1/FailedCalls';
import type { SeatDetails } from '@husky/contracts/types/live/v1/SeatDetails';
import { DECISION_BOUNDS_MS } from '@husky/match/decision-times';
import { describeFault, type Fault } from '@husky/match/fault';
import type { SeatOutput } from '../host/seat-host.ts';
import type { SeatLink, Skippable } from './seat-link.ts';

const maxNotes = 50;

/** A seat's report after a match. */
export interface SeatReport {
  readonly seat: number;
  /** What the bot printed. */
  readonly log: string;
  readonly verdict: string;
  readonly cpuMs: number;
  readonly peakKib: number;
  readonly faults: number;
  /** Why the bot did not play to the end of the match, as a continuation of its name; '' when it did. */
  readonly disabled: string;
  readonly details: SeatDetails;
}

/** The state of one bot in its match: connection, time, faults. Turn, clocks and supervisor write to it. */
export class Seat {
  readonly number: number;
  /** The id by which bots know the player. */
  readonly id: number;
  link: SeatLink | null = null;
  /** Events not yet sent, as JSON with a comma after each; sent with the next question. */
  pending = '';
  /** Number of the last question, and number of a question whose reply is overdue (0: none). */
  seq = 0;
  lateSeq = 0;
  /** The fault that put the bot out: it folds for the rest of the match. Null while it plays. */
  out: Fault | null = null;
  outDetail = '';
  /** The connection has ended; the host's exit event may follow. */
  ended = false;
  /** It has no chips left. */
  busted = false;
  loadMs = 0;
  /** Callbacks that its bot leaves empty: it is not told of them. */
  readonly skips = new Set<Skippable>();

  readonly #fullBankMs: number;
  bankMs: number;
  /** From the host's last sample: processor time, time that any and the main thread waited for a processor, peak memory. `warnedKib`: memory at the warning. */
  cpuMs = 0;
  waitMs = 0;
  mainWaitMs = 0;
  peakKib = 0;
  warnedKib = 0;
  /** Wall time of its turns since the host's last sample. */
  turnMs = 0;

  /** Wall time of its decisions. */
  readonly times = new DecisionTimes();
  /** Callbacks sent that the seat may still report as failed: each one at most once. */
  reportableCalls = 0;
  readonly failedCalls = new FailedCalls();
  /** Processor time used outside of its turns. */
  outsideMs = 0;
  /** The process stands still. */
  stopped = false;

  faultsInRow = 0;
  faults = 0;
  readonly faultCounts = new Map<Fault, number>();
  readonly #notes: string[] = [];
  #droppedNotes = 0;

  constructor(number: number, id: number, bankMs: number) {
    this.number = number;
    this.id = id;
    this.#fullBankMs = bankMs;
    this.bankMs = bankMs;
  }

  /** Puts the bot out: it folds for the rest of the match and gets no more events. */
  leave(fault: Fault, detail: string): void {
    this.out = fault;
    this.outDetail = detail;
    this.pending = '';
    this.link?.close();
  }

  countFault(fault: Fault, hand: number, detail: string | undefined): void {
    this.faults += 1;
    this.faultsInRow += 1;
    this.faultCounts.set(fault, (this.faultCounts.get(fault) ?? 0) + 1);
    this.note(hand, detail === undefined ? describeFault(fault) : `${describeFault(fault)}: ${detail}`);
  }

  /** Adds a line to the platform's notes, which are kept apart from the bot's output: a bot can print anything. */
  note(hand: number, text: string): void {
    if (this.#notes.length < maxNotes) this.#notes.push(hand > 0 ? `hand ${hand}: ${text}` : text);
    else this.#droppedNotes += 1;
  }

  drawFromBank(ms: number): void {
    this.bankMs = Math.max(0, this.bankMs - ms);
  }

  #details(leftOut: number): SeatDetails {
    return {
      outKind: this.out ?? '',
      outText: this.outDetail,
      failedCalls: this.failedCalls.list,
      times: this.times.describe(),
      bankMs: this.#fullBankMs,
      bankUsedMs: Math.round(this.#fullBankMs - this.bankMs),
      notes: [
        ...this.#notes,
        ...(this.#droppedNotes > 0 ? [`${this.#droppedNotes} more notes are left out`] : []),
        ...(leftOut > 0 ? [`${leftOut} bytes in the middle of its output are left out`] : []),
      ],
    };
  }

  /** Why the bot is out, as a continuation of its name; '' while it plays. */
  get #whyOut(): string {
    if (this.out === null) return '';
    return this.outDetail === '' ? describeFault(this.out) : `${describeFault(this.out)}: ${this.outDetail}`;
  }

  /** The summary of faults for the bot's owner; '' without a fault. */
  get #verdict(): string {
    const parts: string[] = [];
    if (this.out !== null) parts.push(`${this.out}: the bot ${this.#whyOut}`);
    const counts = [...this.faultCounts].map(([fault, count]) => `${count} ${fault}`);
    if (counts.length > 0) parts.push(`faults: ${counts.join(', ')}`);
    if (this.bankMs === 0) parts.push('its bank of time is used up');
    if (this.warnedKib > 0) parts.push(`memory above 100 MiB (${this.peakKib >> 10} MiB at most)`);
    return parts.join('; ');
  }

  /** Returns the report; `closed` are the host's last figures and the bot's output, absent when the host was lost. */
  report(closed?: SeatOutput): SeatReport {
    return {
      seat: this.number,
      log: closed?.log ?? '',
      verdict: this.#verdict,
      cpuMs: Math.round(closed?.cpu_ms ?? this.cpuMs),
      peakKib: closed?.peak_kib ?? this.peakKib,
      faults: this.faults,
      disabled: this.#whyOut,
      details: this.#details(closed?.left_out ?? 0),
    };
  }
}

const usPerMs = 1000;
/** Maximum number of distinct failed calls; further ones are counted with the newest of these. */
const maxKinds = 20;

/** Wall times of one bot's decisions, from question to reply. */
export class DecisionTimes {
  readonly #counts = new Array<number>(DECISION_BOUNDS_MS.length + 1).fill(0);
  // Node's HDR histogram: percentiles with an error of 0.1 % in a fixed size. In microseconds; it refuses values below 1.
  readonly #histogram = createHistogram();

  add(ms: number): void {
    const bound = DECISION_BOUNDS_MS.findIndex((one) => ms <= one);
    const bucket = bound < 0 ? DECISION_BOUNDS_MS.length : bound;
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#histogram.record(Math.max(1, Math.round(ms * usPerMs)));
  }

  describe(): DecisionTimesMessage {
    const at = (percentile: number) => this.#histogram.percentile(percentile) / usPerMs;
    return { count: this.#histogram.count, p50Ms: at(50), p95Ms: at(95), maxMs: at(100), counts: [...this.#counts] };
  }
}

/** Counts exceptions of a bot's callbacks. They cause no fold, but explain later faults. */
export class FailedCalls {
  readonly #kinds = new Map<string, Required<FailedCallsMessage>>();
  #last: Required<FailedCallsMessage> | null = null;

  add(method: string, text: string, hand: number): void {
    const key = `${method} ${text}`;
    const known = this.#kinds.get(key) ?? (this.#kinds.size < maxKinds ? undefined : this.#last);
    if (known) {
      known.count += 1;
      return;
    }
    this.#last = { method, text, count: 1, firstHand: hand };
    this.#kinds.set(key, this.#last);
  }

  get list(): Required<FailedCallsMessage>[] {
    return [...this.#kinds.values()];
  }
}
