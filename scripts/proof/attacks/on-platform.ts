import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { dealKey } from '@husky/match/commitment';
import { registerVerified, uploadFinal } from '../../demo/accounts.ts';
import { type Api, Refused } from '../../demo/api.ts';
import { type AttackCase, requirementsOf, sourcesOf } from './case-files.ts';
import { botsFolder, honestBots } from './honest.ts';
import type { SeatRecord } from './judge.ts';

/** Timeout of a match from its request; far above the duration on a busy machine. */
const matchTimeoutMs = 180_000;

interface Status {
  readonly job_status: string;
  readonly hands_played: number | null;
  readonly error?: string;
  readonly result_data?: Record<string, number>;
}

interface SeatLog {
  readonly log: string;
  readonly verdict: string;
  readonly cpu_ms: number;
  readonly peak_memory_kib: number;
}

/** A finished match, from the REST API. */
export interface PlatformMatch {
  readonly job: string;
  readonly hands: number;
  /** From which it was dealt, hex. */
  readonly seed: string;
  /** By seat. */
  readonly deltas: readonly number[];
  readonly seats: readonly (SeatRecord & { readonly cpuMs: number })[];
}

/** Acts on a platform as participants and as the administrator. */
export class Participants {
  readonly #admin: Api;
  readonly #honest: string[] = [];
  /** Prefix of all usernames, so that the corpus can run on a platform more than once. */
  readonly #prefix: string;

  constructor(admin: Api, prefix: string) {
    this.#admin = admin;
    this.#prefix = prefix;
  }

  /** Registers the five honest players. */
  async prepare(): Promise<void> {
    for (const [index, bot] of honestBots.entries()) {
      const source = readFileSync(join(botsFolder, bot, 'player.py'), 'utf8');
      this.#honest.push(await this.registerPlayer(`honest-${index + 1}`, source, ''));
    }
  }

  /** Registers a verified user whose final submission is this bot. Returns the username. Throws Refused if the upload is refused. */
  async registerPlayer(name: string, source: string, requirements: string): Promise<string> {
    const username = `${this.#prefix}${name}`.slice(0, 32);
    await uploadFinal(await registerVerified(this.#admin, username), source, requirements);
    return username;
  }

  /** Uploads the case's bots. Returns the usernames, or the refusal if the platform refuses one. */
  async upload(attack: AttackCase): Promise<{ players: string[] } | { refused: Refused }> {
    try {
      const players: string[] = [];
      for (const [seat, source] of sourcesOf(attack).entries()) {
        const name = seat === 0 ? attack.name : `${attack.name}-${seat + 1}`;
        players.push(await this.registerPlayer(name, source, seat === 0 ? requirementsOf(attack) : ''));
      }
      return { players };
    } catch (error) {
      if (error instanceof Refused) return { refused: error };
      throw error;
    }
  }

  /** Plays a match of these players with honest bots in the other seats. Throws unless the match finishes with every hand stored. */
  async playMatch(players: readonly string[], hands: number): Promise<PlatformMatch> {
    const six = [...players, ...this.#honest].slice(0, 6);
    const order = { users_list: six, num_rounds: hands };
    const { job_id: job } = await this.#admin.post<{ job_id: string }>('/sim/async_run_user', order);
    const status = await this.#waitForEnd(job);
    if (status.job_status !== 'Finished') throw new Error(`the match ended as ${status.job_status}: ${status.error}`);
    const played = status.hands_played ?? 0;
    const { games } = await this.#admin.get<{ games: { game_id: string }[] }>(`/live/job/${job}/games`);
    if (new Set(games.map((game) => game.game_id)).size !== played)
      throw new Error(`the match is incomplete: ${games.length} games for ${played} hands`);
    const deltas = six.map((name) => status.result_data?.[name] ?? Number.NaN);
    const sum = deltas.reduce((all, delta) => all + delta, 0);
    if (sum !== 0) throw new Error(`the match is wrong: its deltas sum to ${sum}`);
    const revealed = await this.#admin.get<{ seed: string; commitment_input: string }>(`/live/job/${job}/seed`);
    const key = dealKey(Buffer.from(revealed.seed, 'hex'), JSON.parse(revealed.commitment_input));
    const seats = await Promise.all(
      six.map(async (name) => {
        const { log, verdict, cpu_ms, peak_memory_kib } = await this.#admin.get<SeatLog>(
          `/live/job/${job}/log/${name}`,
        );
        return { log, verdict, cpuMs: cpu_ms, peakKib: peak_memory_kib };
      }),
    );
    return { job, hands: played, seed: Buffer.from(key).toString('hex'), deltas, seats };
  }

  async #waitForEnd(job: string): Promise<Status> {
    const deadline = Date.now() + matchTimeoutMs;
    for (;;) {
      const status = await this.#admin.get<Status>(`/sim/status/${job}`);
      if (['Finished', 'Failed'].includes(status.job_status)) return status;
      if (Date.now() > deadline) throw new Error(`the match has not ended within ${matchTimeoutMs / 1000} s`);
      await pause(150);
    }
  }
}
