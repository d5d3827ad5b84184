import { join } from 'node:path';
import type { HandRecord } from '@husky/match/record';
import { RULES_VERSION } from '@husky/match/rules-version';
import { findPython, LocalHost } from '../../../services/runner/bench/local-host.ts';
import { Match } from '../../../services/runner/src/play/match.ts';
import type { SeatReport } from '../../../services/runner/src/play/seat.ts';
import { defaultLimits } from '../../../services/runner/src/play/setup.ts';
import type { SandboxMeans } from './case-files.ts';
import { botsFolder, foldingBot, honestBots, limits } from './honest.ts';

export interface PlayedMatch {
  readonly handsPlayed: number;
  /** Final deltas by seat. */
  readonly deltas: readonly number[];
  readonly reports: readonly SeatReport[];
  readonly records: readonly HandRecord[];
}

/** Plays matches of six players on a separate seat host, without services, one at a time. */
export class TableOfSix {
  readonly local: LocalHost;
  readonly #honest: readonly string[];
  readonly #folding: string;
  #sourceCount = 0;
  #lastMatch: Promise<unknown> = Promise.resolve();

  private constructor(local: LocalHost) {
    this.local = local;
    this.#honest = honestBots.map((name) => local.addBot(join(botsFolder, name)));
    this.#folding = local.addSource('folding', foldingBot);
  }

  static async open(options: readonly string[] = []): Promise<TableOfSix> {
    return new TableOfSix(await LocalHost.start(findPython(), options));
  }

  /** Returns the means of the sandbox that this host's seats have. */
  async means(): Promise<SandboxMeans> {
    return (await this.local.host.hello()).sandbox;
  }

  /** Plays a match with these sources (null: a folding bot) in the first seats and honest bots in the others. Concurrent calls are queued. */
  play(sources: readonly (string | null)[], hands: number, seed: Uint8Array): Promise<PlayedMatch> {
    const played = this.#lastMatch.then(() => this.#play(sources, hands, seed));
    this.#lastMatch = played.catch(() => undefined);
    return played;
  }

  async #play(sources: readonly (string | null)[], hands: number, seed: Uint8Array): Promise<PlayedMatch> {
    const first = sources.map((source) => {
      if (source === null) return this.#folding;
      this.#sourceCount += 1;
      return this.local.addSource(`attack-${this.#sourceCount}`, source);
    });
    const botDirs = [...first, ...this.#honest].slice(0, 6);
    const records: HandRecord[] = [];
    const match = new Match(
      {
        name: 'attack',
        rulesVersion: RULES_VERSION,
        seed,
        numRounds: hands,
        startingStack: 10_000,
        stacks: 'carry',
        blinds: { bigBlind: 10, multiplier: '1', interval: 1 },
        profile: 'documented',
        limits: { ...defaultLimits, ...limits },
        seats: botDirs.map((botDir) => ({ botDir, packagesDir: null })),
      },
      this.local.host,
      { onHand: (_, record) => void records.push(record), hold: () => null },
    );
    try {
      await match.start();
      const { handsPlayed } = await match.play();
      const reports = await match.close();
      const deltas = botDirs.map((_, seat) => records.reduce((sum, hand) => sum + (hand.deltas[seat] ?? 0), 0));
      return { handsPlayed, deltas, reports, records };
    } catch (error) {
      await match.close().catch(() => undefined);
      throw error;
    }
  }

  stop(): Promise<void> {
    return this.local.stop();
  }
}
