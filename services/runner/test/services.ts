import { liveDataService, type ServiceContract, simulationService, submissionService } from '@husky/contracts/services';
import type { CompleteMatchRequest__Output } from '@husky/contracts/types/live/v1/CompleteMatchRequest';
import type { SeatReport__Output } from '@husky/contracts/types/live/v1/SeatReport';
import type { Assignment } from '@husky/contracts/types/simulation/v1/Assignment';
import type { ClaimMatchRequest__Output } from '@husky/contracts/types/simulation/v1/ClaimMatchRequest';
import type { HandBackRequest__Output } from '@husky/contracts/types/simulation/v1/HandBackRequest';
import type { HeartbeatRequest__Output } from '@husky/contracts/types/simulation/v1/HeartbeatRequest';
import type { ReportLossRequest__Output } from '@husky/contracts/types/simulation/v1/ReportLossRequest';
import type { ReportRepetitionRequest__Output } from '@husky/contracts/types/simulation/v1/ReportRepetitionRequest';
import type { RunnerTotals__Output } from '@husky/contracts/types/simulation/v1/RunnerTotals';
import { Table } from '@husky/holdem/table';
import { decodeChunk } from '@husky/match/chunk';
import { digestNext, digestStart } from '@husky/match/digest';
import { jobIdFrom } from '@husky/match/game-id';
import { actsOfRecord, type PlayedAct, playDifference } from '@husky/match/play-difference';
import { redeal } from '@husky/match/replay';
import { RULES_VERSION } from '@husky/match/rules-version';
import { anyone, lease, runner } from '@husky/runtime/rpc/access';
import type { Caller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Call } from '@husky/runtime/rpc/grpc-server';
import { testIdentities } from '@husky/testkit/servers';
import { type DoubleHandlers, type ServiceDouble, startDouble } from '@husky/testkit/service-double';
import { submissionDouble } from './submission-double.ts';

/** Everything that the three services have received about one attempt. */
export interface Received {
  readonly jobId: string;
  readonly attempt: number;
  readonly heartbeats: HeartbeatRequest__Output[];
  readonly reports: SeatReport__Output[];
  hands: number;
  /** When each attempt and hand began, ms since the epoch. */
  readonly startsMs: number[];
  digest: Buffer;
  opened: boolean;
  completed: CompleteMatchRequest__Output | null;
  handedBack: string | null;
  unfetched: readonly { readonly seat: number; readonly cause: string }[];
  loss: ReportLossRequest__Output | null;
  /** By hand. */
  readonly acts: PlayedAct[][];
  /** Reports of its repetition. */
  readonly repeated: ReportRepetitionRequest__Output[];
}

export interface MatchOrder {
  readonly bots: readonly string[];
  readonly hands: number;
  readonly attempt?: number;
  readonly packagesHash?: string;
  /** By seat. */
  readonly unfetchable?: readonly string[];
  readonly stacks?: 'carry' | 'reset';
  /** simulation's time. */
  readonly nowMs?: number;
}

/** Doubles of the three services that a runner calls: servers with the real contracts and identities, and their state in memory. */
export class Services {
  readonly attempts = new Map<string, Received>();
  readonly packages = new Map<string, Buffer>();
  /** Number of further attempts that are opened by a replica of live-data of an earlier release. */
  earlierReplicas = 0;
  /** Number of further calls to live-data that fail with `failure`. */
  failing = 0;
  failure: 'UNAVAILABLE' | 'INTERNAL' = 'UNAVAILABLE';
  /** The dealer's totals with its last claim. */
  totals: RunnerTotals__Output | null = null;
  cancelled = false;
  /** Number of claimed repetitions. */
  repetitions = 0;
  leaseSeconds = 30;
  readonly #doubles: ServiceDouble[] = [];
  readonly #queue: Assignment[] = [];
  readonly #assignments = new Map<string, Assignment>();
  #repetition: Assignment | undefined;
  /** Number of further claims that find no match. */
  #emptyClaims = 0;
  readonly #waiting: ((assignment: Assignment | undefined) => void)[] = [];
  readonly #tables = new Map<string, { table: Table; seed: Uint8Array }>();
  readonly #bots = new Map<string, string>();
  readonly #changed = new Set<() => void>();
  addresses = { simulation: '', submission: '', liveData: '' };
  #made = 0;

  static async start(): Promise<Services> {
    const services = new Services();
    const serve = async <D>(contract: ServiceContract<D>, handlers: object): Promise<string> => {
      const double = await startDouble(contract, anyone, handlers as DoubleHandlers<D, Caller>);
      services.#doubles.push(double);
      return double.address;
    };
    services.addresses = {
      simulation: await serve(simulationService, services.#simulation()),
      submission: await serve(submissionService, submissionDouble(services.#bots, services.packages)),
      liveData: await serve(liveDataService, services.#liveData()),
    };
    return services;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#doubles.splice(0).map((double) => double.stop()));
  }

  /** Queues a match. A bot is a name, or a source when the text has several lines. */
  async order({
    bots,
    hands,
    attempt = 1,
    packagesHash = '',
    unfetchable = [],
    stacks = 'carry',
    nowMs = 0,
  }: MatchOrder): Promise<Received> {
    this.#made += 1;
    const jobId = jobIdFrom(Buffer.alloc(10, this.#made));
    const seats = bots.map((bot, seat) => {
      const botHash = Buffer.from(`${this.#made}.${seat}.${bot}`).toString('hex').padEnd(64, '0').slice(0, 64);
      this.#bots.set(botHash, bot);
      return { userId: `user-${seat}`, botHash, packagesHash, unfetchable: unfetchable[seat] ?? '' };
    });
    const lease: Caller = { kind: 'lease', jobId, attempt, runner: 'test' };
    const seed = Buffer.alloc(32, this.#made);
    const blinds = { bigBlind: 10, multiplier: '1', interval: 1000 };
    const received: Received = {
      jobId,
      attempt,
      heartbeats: [],
      reports: [],
      hands: 0,
      startsMs: [],
      digest: digestStart(jobId, attempt),
      opened: false,
      completed: null,
      handedBack: null,
      unfetched: [],
      loss: null,
      acts: [],
      repeated: [],
    };
    this.attempts.set(jobId, received);
    this.#tables.set(jobId, {
      table: new Table({ rulesVersion: RULES_VERSION, players: bots.length, startingStack: 10_000, stacks, blinds }),
      seed,
    });
    const assignment: Assignment = {
      jobId,
      attempt,
      leaseToken: await testIdentities()
        .signerOf('simulation')
        .sign(['simulation', 'submission', 'live-data'], lease, 600),
      leaseSeconds: this.leaseSeconds,
      seats,
      numRounds: hands,
      blinds,
      startingStack: 10_000,
      stacks,
      nowMs,
      rulesVersion: RULES_VERSION,
      seed,
      profile: 'documented',
      limits: {
        decisionMs: 2000,
        bankMs: 20_000,
        freeMs: 100,
        faultsToDisable: 10,
        startupMs: 10_000,
        memoryMib: 256,
        logBytes: 65_536,
      },
    };
    this.#assignments.set(jobId, assignment);
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#queue.push(assignment);
    else waiting(assignment);
    return received;
  }

  /** Lets a runner that finds no match repeat this one, and answers a waiting claim without a match. `botHash`: of seat 0. */
  repeat({ jobId }: Received, botHash?: string): void {
    const assignment = this.#assignments.get(jobId) as Assignment;
    const [first, ...others] = assignment.seats ?? [];
    this.#repetition = { ...assignment, seats: [{ ...first, ...(botHash && { botHash }) }, ...others] };
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#emptyClaims += 1;
    else waiting(undefined);
  }

  /** Resolves when `check` returns true; it is called after every call that a service receives. Rejects after `timeoutMs`. */
  async until(check: () => boolean, timeoutMs = 20_000): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = () => {
      if (check()) resolve();
    };
    const timer = setTimeout(() => reject(new Error(`the condition did not hold within ${timeoutMs} ms`)), timeoutMs);
    this.#changed.add(look);
    look();
    await promise.finally(() => {
      clearTimeout(timer);
      this.#changed.delete(look);
    });
  }

  #takeEmptyClaim(): boolean {
    if (this.#emptyClaims === 0) return false;
    this.#emptyClaims -= 1;
    return true;
  }

  #notify(): void {
    for (const look of [...this.#changed]) look();
  }

  #attemptOf(call: Call): Received {
    const received = this.attempts.get(lease(call.caller).jobId);
    if (received === undefined) throw new DomainError('NOT_FOUND', 'no-match', 'No such match.');
    return received;
  }

  #simulation(): object {
    return {
      claimMatch: async (request: ClaimMatchRequest__Output, call: Call) => {
        runner(call.caller);
        this.totals = request.totals;
        this.#notify();
        const assignment =
          this.#queue.shift() ??
          (request.waitMs === 0 || this.#takeEmptyClaim()
            ? undefined
            : await new Promise<Assignment | undefined>((resolve) => {
                this.#waiting.push(resolve);
                call.signal.addEventListener('abort', () => {
                  const index = this.#waiting.indexOf(resolve);
                  if (index >= 0) this.#waiting.splice(index, 1);
                  resolve(undefined);
                });
              }));
        return { assignment };
      },
      claimRepetition: async (_: object, call: Call) => {
        runner(call.caller);
        const assignment = this.#repetition;
        this.#repetition = undefined;
        this.repetitions += assignment === undefined ? 0 : 1;
        this.#notify();
        return { assignment };
      },
      reportRepetition: async (request: ReportRepetitionRequest__Output, call: Call) => {
        this.#attemptOf(call).repeated.push(request);
        this.#notify();
        return { cancel: this.cancelled };
      },
      heartbeat: async (request: HeartbeatRequest__Output, call: Call) => {
        this.#attemptOf(call).heartbeats.push(request);
        this.#notify();
        return { cancel: this.cancelled, reason: this.cancelled ? 'deleted by its owner' : '' };
      },
      handBack: async ({ reason, unfetched }: HandBackRequest__Output, call: Call) => {
        Object.assign(this.#attemptOf(call), { handedBack: reason, unfetched });
        this.#notify();
        return {};
      },
      reportLoss: async (request: ReportLossRequest__Output, call: Call) => {
        this.#attemptOf(call).loss = request;
        this.#notify();
        return {};
      },
    };
  }

  #liveData(): object {
    const failIfRequested = () => {
      if (this.failing <= 0) return;
      this.failing -= 1;
      throw new DomainError(this.failure, 'away', 'live-data is away');
    };
    return {
      openAttempt: async ({ startedAtMs }: { startedAtMs: number }, call: Call) => {
        failIfRequested();
        this.#attemptOf(call).opened = true;
        this.#attemptOf(call).startsMs.push(startedAtMs);
        this.earlierReplicas -= 1;
        return { rulesVersion: this.earlierReplicas < 0 ? RULES_VERSION : 0 };
      },
      deliverChunk: async ({ chunk }: { chunk: Buffer }, call: Call) => {
        failIfRequested();
        const received = this.#attemptOf(call);
        const { table, seed } = this.#tables.get(received.jobId) as { table: Table; seed: Uint8Array };
        const content = decoded(chunk);
        const last = content.firstHand + content.hands.length - 1;
        if (last <= received.hands) return { handsStored: received.hands };
        if (!received.opened || content.firstHand !== received.hands + 1) {
          throw new DomainError('FAILED_PRECONDITION', 'chunk-does-not-fit', `hand ${received.hands + 1} was expected`);
        }
        for (const { number, record } of redeal(seed, table, content)) {
          received.hands = number;
          received.startsMs.push(record.startedAtMs);
          received.acts.push(actsOfRecord(record));
          received.digest = digestNext(received.digest, number, record);
        }
        this.#notify();
        return { handsStored: received.hands };
      },
      compareChunk: async ({ chunk }: { chunk: Buffer }, call: Call) => {
        const { acts, hands } = this.#attemptOf(call);
        const content = decoded(chunk);
        for (const [index, record] of content.hands.entries()) {
          const hand = content.firstHand + index;
          const found = playDifference(hand, acts[hand - 1] ?? null, actsOfRecord(record));
          if (found !== null) return { ...found, act: found.act ?? 0, hands };
        }
        return { hands };
      },
      deliverSeatReport: async (report: SeatReport__Output, call: Call) => {
        failIfRequested();
        this.#attemptOf(call).reports.push(report);
        return {};
      },
      completeMatch: async (request: CompleteMatchRequest__Output, call: Call) => {
        failIfRequested();
        const received = this.#attemptOf(call);
        if (request.handsPlayed !== received.hands || request.digest !== received.digest.toString('hex')) {
          throw new DomainError('FAILED_PRECONDITION', 'match-does-not-verify', 'count or digest differ');
        }
        received.completed = request;
        this.#notify();
        return { accepted: true };
      },
    };
  }
}

function decoded(chunk: Buffer) {
  try {
    return decodeChunk(chunk);
  } catch (cause) {
    throw new DomainError('FAILED_PRECONDITION', 'chunk-does-not-fit', 'The chunk cannot be read.', { cause });
  }
}
