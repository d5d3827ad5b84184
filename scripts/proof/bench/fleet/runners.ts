import { setTimeout as pause } from 'node:timers/promises';
import type { Assignment__Output } from '@husky/contracts/types/simulation/v1/Assignment';
import type { IdentitySigner } from '@husky/runtime/rpc/identity';
import { recordMatch } from './record-match.ts';
import { type Addresses, SyntheticRunner } from './synthetic-runner.ts';

type ClaimHandler = (runner: SyntheticRunner, assignment: Assignment__Output, requestedAtMs: number) => Promise<void>;

const handBack: ClaimHandler = (runner, assignment) => runner.handBack(assignment);

/** Synthetic runners that claim matches and, by default, hand them back. */
export class Runners {
  readonly #addresses: Addresses;
  readonly #signer: IdentitySigner;
  #stopping = new AbortController();
  #loops: Promise<void>[] = [];
  #onClaimed: ClaimHandler = handBack;

  constructor(addresses: Addresses, signer: IdentitySigner) {
    this.#addresses = addresses;
    this.#signer = signer;
  }

  /** Stops all runners and starts `count` new ones, which connect over time, as in a cluster. */
  async start(count: number): Promise<void> {
    await this.stop();
    this.#stopping = new AbortController();
    this.#onClaimed = handBack;
    for (let at = 0; at < count; at++) {
      if (at % 25 === 24) await pause(100);
      this.#loops.push(this.#claimAll(new SyntheticRunner(`synthetic-${at}`, this.#addresses, this.#signer)));
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#loops);
    this.#loops = [];
  }

  /** Lets the runners claim the one queued match in turn and hand it back. Returns the time in ms from each hand-back to the next claim. */
  async pass(rounds: number): Promise<number[]> {
    const latenciesMs: number[] = [];
    const done = Promise.withResolvers<void>();
    let handedBackAtMs = 0;
    this.#onClaimed = async (runner, assignment) => {
      if (handedBackAtMs > 0) latenciesMs.push(performance.now() - handedBackAtMs);
      if (latenciesMs.length >= rounds) done.resolve();
      else await pause(200);
      handedBackAtMs = performance.now();
      await runner.handBack(assignment);
      // Gives another runner time to claim the match.
      await pause(2000);
    };
    await done.promise;
    return latenciesMs;
  }

  /** Records and delivers matches until `matches` are accepted. */
  async play(matches: number): Promise<{ claimsMs: number[]; matchesMs: number[]; seconds: number }> {
    const claimsMs: number[] = [];
    const matchesMs: number[] = [];
    const done = Promise.withResolvers<void>();
    const startedAtMs = performance.now();
    let claimed = 0;
    this.#onClaimed = async (runner, assignment, requestedAtMs) => {
      if (claimed >= matches) {
        await done.promise;
        return runner.handBack(assignment);
      }
      claimed += 1;
      try {
        claimsMs.push(performance.now() - requestedAtMs);
        const match = await recordMatch(assignment);
        const recordedAtMs = performance.now();
        if (!(await runner.deliver(assignment, match))) throw new Error('a match was not accepted');
        if (matchesMs.push(performance.now() - recordedAtMs) === matches) done.resolve();
      } catch (error) {
        claimed -= 1;
        throw error;
      }
    };
    await done.promise;
    return { claimsMs, matchesMs, seconds: (performance.now() - startedAtMs) / 1000 };
  }

  async #claimAll(runner: SyntheticRunner): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const requestedAtMs = performance.now();
      try {
        const assignment = await runner.claim(signal);
        if (assignment !== null) await this.#onClaimed(runner, assignment, requestedAtMs);
      } catch (error) {
        if (signal.aborted) break;
        process.stdout.write(`failed call: ${error instanceof Error ? error.message : String(error)}\n`);
        await pause(500 + Math.random() * 500);
      }
    }
    runner.close();
  }
}
