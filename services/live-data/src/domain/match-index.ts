import { countHand, PlayCounters } from '@husky/estimate/play-counters';
import { addFindings, SeatFindings } from './findings.ts';
import { packIndex } from './hand-index.ts';
import { type Highlight, highlightsOf, scoreOf } from './highlights.ts';
import type { Match } from './match.ts';
import { type ChunkContent, type HandResult, handResults } from './record.ts';

/** The stored facts of a verified match for the lists of its hands. */
export interface MatchIndex {
  /** hand-index.ts */
  readonly bytes: Uint8Array;
  readonly highlights: readonly Highlight[];
  /** Swing times pot of the first highlight; 0 if there is none. */
  readonly score: number;
  /** Each seat's largest net win (at least 0) and loss (at most 0) in one hand. */
  readonly bestNets: readonly number[];
  readonly worstNets: readonly number[];
  /** Each seat's packed PlayCounters. */
  readonly play: readonly Uint8Array[];
}

/** The facts of a hand that are kept until the index is made: about 250 bytes. */
type SummedHand = Pick<HandResult, 'hand' | 'startedAtMs' | 'cumulative' | 'facts'>;

/** Sums and facts of the verified hands of an attempt, collected chunk by chunk. */
export class MatchSummary {
  readonly hands: SummedHand[] = [];
  /** Faults and adjusted actions by seat. */
  readonly findings: readonly SeatFindings[];
  readonly #seed: Uint8Array;
  readonly #facts: Parameters<typeof handResults>[0];
  readonly #play: readonly PlayCounters[];
  readonly #bestNets: number[];
  readonly #worstNets: number[];

  constructor(match: Match) {
    this.#seed = match.seed;
    this.#facts = match;
    this.findings = match.playerIds.map(() => new SeatFindings());
    this.#play = match.playerIds.map(() => new PlayCounters());
    this.#bestNets = match.playerIds.map(() => 0);
    this.#worstNets = match.playerIds.map(() => 0);
  }

  /** Adds the next chunk. It must have been verified. */
  add(content: ChunkContent): void {
    for (const result of handResults(this.#facts, content)) this.addHand(result);
    addFindings(this.findings, content);
  }

  /** Adds the next hand without its findings. */
  addHand(result: HandResult): void {
    const { hand, startedAtMs, cumulative, facts } = result;
    this.hands.push({ hand, startedAtMs, cumulative, facts });
    countHand(this.#play, result);
    for (const [seat, delta] of result.deltas.entries()) {
      this.#bestNets[seat] = Math.max(this.#bestNets[seat] ?? 0, delta);
      this.#worstNets[seat] = Math.min(this.#worstNets[seat] ?? 0, delta);
    }
  }

  /** Makes the index. Lets other calls run between the candidates for highlights, which take most of the time. */
  async index(): Promise<MatchIndex> {
    const highlights = await highlightsOf(this.#seed, this.hands);
    const [first] = highlights;
    return {
      bytes: packIndex(this.hands.map(({ facts }) => facts)),
      highlights,
      score: first === undefined ? 0 : scoreOf(first),
      bestNets: this.#bestNets,
      worstNets: this.#worstNets,
      play: this.#play.map((counters) => counters.pack()),
    };
  }
}
