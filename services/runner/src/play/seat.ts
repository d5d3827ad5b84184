import type { SeatDetails } from '@husky/contracts/types/live/v1/SeatDetails';
import { describeFault, type Fault } from '@husky/match/fault';
import { DecisionTimes } from './decision-times.ts';
import { FailedCalls } from './failed-calls.ts';
import type { SeatLink } from './seat-link.ts';

const maxNotes = 50;

/** What is known of a bot in its match: its connection, its clock, its faults. */
export class Seat {
  readonly number: number;
  /** What bots know this player by. */
  readonly id: number;
  link: SeatLink | null = null;
  /** Events not yet sent, as JSON with a comma after each; they ride along with the next question. */
  pending = '';
  /** Number of the last question, and of one not answered in time (0: none). */
  seq = 0;
  lateSeq = 0;
  /** Why it folds for the rest of the match, or null while it plays. */
  out: Fault | null = null;
  outDetail = '';
  /** The connection is over; the host's word on why may be still to come. */
  ended = false;
  /** It has no chips left. */
  busted = false;
  ready = false;
  loadMs = 0;

  readonly fullBankMs: number;
  bankMs: number;
  /** Processor time and time waited for it by the host's last word, peak memory, and memory at the warning. */
  cpuMs = 0;
  waitMs = 0;
  peakKib = 0;
  warnedKib = 0;
  /** Wall time of its turns since the host's last word. */
  turnMs = 0;

  /** Wall time of its decisions. */
  readonly times = new DecisionTimes();
  /** Calls of methods other than get_action that it was told of, less those it has said to have raised. */
  callsTold = 0;
  readonly failedCalls = new FailedCalls();
  /** It computed outside of its turns with an empty bank, and is stopped between its turns since. */
  paused = false;

  faultsInRow = 0;
  faults = 0;
  readonly faultCounts = new Map<Fault, number>();
  readonly #notes: string[] = [];
  #notesLeftOut = 0;

  constructor(number: number, id: number, bankMs: number) {
    this.number = number;
    this.id = id;
    this.fullBankMs = bankMs;
    this.bankMs = bankMs;
  }

  /** It folds for the rest of the match and is told nothing more. */
  leave(fault: Fault, detail: string): void {
    this.out = fault;
    this.outDetail = detail;
    this.pending = '';
    this.link?.close();
  }

  countFault(fault: Fault, hand: number, asked: string | undefined): void {
    this.faults += 1;
    this.faultsInRow += 1;
    this.faultCounts.set(fault, (this.faultCounts.get(fault) ?? 0) + 1);
    this.note(hand, asked === undefined ? describeFault(fault) : `${describeFault(fault)}: ${asked}`);
  }

  /** A line for the end of the bot's log. */
  note(hand: number, text: string): void {
    if (this.#notes.length < maxNotes) this.#notes.push(hand > 0 ? `hand ${hand}: ${text}` : text);
    else this.#notesLeftOut += 1;
  }

  drawFromBank(ms: number): void {
    this.bankMs = Math.max(0, this.bankMs - ms);
  }

  /** The platform's own lines, to be put after what the bot printed. */
  get platformLog(): string {
    if (this.#notes.length === 0) return '';
    const more = this.#notesLeftOut > 0 ? `\n[${this.#notesLeftOut} more left out]` : '';
    return `--- notes of the platform ---\n${this.#notes.join('\n')}${more}\n`;
  }

  /** What its owner may know beyond the log and the hands. */
  get details(): SeatDetails {
    return {
      ...{ outKind: this.out ?? '', outText: this.outDetail },
      failedCalls: this.failedCalls.list,
      times: this.times.describe(),
      ...{ bankMs: this.fullBankMs, bankUsedMs: Math.round(this.fullBankMs - this.bankMs) },
    };
  }

  /** Why it plays no more, to go on from its name; '' while it plays. */
  get whyOut(): string {
    if (this.out === null) return '';
    return this.outDetail === '' ? describeFault(this.out) : `${describeFault(this.out)}: ${this.outDetail}`;
  }

  /** What its owner is told, in words; '' when all went well. */
  get verdict(): string {
    const parts: string[] = [];
    if (this.out !== null) parts.push(`${this.out}: the bot ${this.whyOut}`);
    const counts = [...this.faultCounts].map(([fault, count]) => `${count} ${fault}`);
    if (counts.length > 0) parts.push(`faults: ${counts.join(', ')}`);
    if (this.bankMs === 0) parts.push('its bank of time is used up');
    if (this.warnedKib > 0) parts.push(`memory above 100 MiB (${this.peakKib >> 10} MiB at most)`);
    return parts.join('; ');
  }
}
