import { liveDataService, simulationService, submissionService } from '@husky/contracts/services';
import type { Assignment__Output } from '@husky/contracts/types/simulation/v1/Assignment';
import { RULES_VERSION } from '@husky/match/rules-version';
import type { Caller } from '@husky/runtime/rpc/caller';
import { type ClientOf, createRpcClient } from '@husky/runtime/rpc/grpc-client';
import type { IdentitySigner } from '@husky/runtime/rpc/identity';
import type { RecordedMatch } from './record-match.ts';

export interface Addresses {
  readonly simulation: string;
  readonly submission: string;
  readonly 'live-data': string;
}

// The same values as in services/runner/src/work.
const waitMs = 20_000;
const claimTimeoutMs = 30_000;
const heartbeatMs = 5000;
const completeTimeoutMs = 60_000;
const totals = { startedAtMs: Date.now(), matches: 0, hands: 0, acts: 0, playMs: 0, seatKills: [], sandbox: null };
const times = { count: 4000, p50Ms: 0.1, p95Ms: 0.2, maxMs: 2, counts: [4000, 0, 0, 0, 0, 0, 0, 0] };
const details = { outKind: '', outText: '', failedCalls: [], times, bankMs: 60_000, bankUsedMs: 0 };

/** A runner without seats: makes a dealer's calls and delivers recorded matches. */
export class SyntheticRunner {
  readonly name: string;
  readonly #caller: Caller;
  readonly #signer: IdentitySigner;
  readonly #addresses: Addresses;
  readonly #simulation: ClientOf<typeof simulationService>;
  #others: { submission: ClientOf<typeof submissionService>; liveData: ClientOf<typeof liveDataService> } | undefined;
  readonly #bots = new Set<string>();

  constructor(name: string, addresses: Addresses, signer: IdentitySigner) {
    this.name = name;
    this.#caller = { kind: 'runner', name };
    this.#signer = signer;
    this.#addresses = addresses;
    this.#simulation = createRpcClient(simulationService, addresses.simulation, signer);
  }

  /** Claims a match by a long poll; null if there is none within 20 s. */
  async claim(signal: AbortSignal): Promise<Assignment__Output | null> {
    const options = { caller: this.#caller, timeoutMs: claimTimeoutMs, signal };
    const request = { runner: this.name, waitMs, version: '1', rulesVersion: RULES_VERSION, totals };
    return (await this.#simulation.claimMatch(request, options)).assignment;
  }

  async handBack({ leaseToken: token }: Assignment__Output): Promise<void> {
    await this.#simulation.handBack({ reason: 'bench', unfetched: [] }, { token });
  }

  /** Delivers a claimed match and completes it. Returns whether it was accepted. */
  async deliver(assignment: Assignment__Output, match: RecordedMatch): Promise<boolean> {
    const { submission, liveData } = this.#connect();
    const options = { token: assignment.leaseToken };
    const beat = (state: 'ACQUIRED' | 'ACTIVE', handsDone: number) =>
      this.#simulation.heartbeat({ state, handsDone, handsPerSecond: 0, usage, totals }, options);
    const usage = assignment.seats.map((_, seat) => ({ seat, cpuMs: 100, peakKib: 20_000, verdict: '' }));
    for (const { botHash } of assignment.seats) {
      if (this.#bots.has(botHash)) continue;
      await submission.fetchBot({ botHash }, options);
      this.#bots.add(botHash);
    }
    await liveData.openAttempt({ startedAtMs: Date.now() }, options);
    await beat('ACTIVE', 0);
    const timer = setInterval(() => void beat('ACTIVE', 0).catch(() => undefined), heartbeatMs);
    try {
      for (const chunk of match.chunks) await liveData.deliverChunk({ chunk }, options);
      for (const { seat } of usage) {
        const report = { seat, log: '', verdict: '', cpuMs: 100, peakKib: 20_000, faults: 0, details };
        await liveData.deliverSeatReport(report, options);
      }
      const { hands, digest, endedEarly } = match;
      const result = { handsPlayed: hands, digest, endedEarly, disabled: [] };
      return (await liveData.completeMatch(result, { ...options, timeoutMs: completeTimeoutMs })).accepted;
    } finally {
      clearInterval(timer);
    }
  }

  close(): void {
    this.#simulation.close();
    this.#others?.submission.close();
    this.#others?.liveData.close();
  }

  #connect() {
    this.#others ??= {
      submission: createRpcClient(submissionService, this.#addresses.submission, this.#signer),
      liveData: createRpcClient(liveDataService, this.#addresses['live-data'], this.#signer),
    };
    return this.#others;
  }
}
