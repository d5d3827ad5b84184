import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { loadScript } from '../load/k6.ts';
import { password } from './accounts.ts';
import { createChaosBot } from './chaos-bot.ts';
import type { World } from './workload.ts';

const forceMs = 10_000;
/** Longer than any run. */
const durationS = 14 * 24 * 3600;

export interface K6Counts {
  readonly requests: number;
  /** Neither a success nor a refusal. */
  readonly failed: number;
  /** 429 or 503 with Retry-After. */
  readonly refused: number;
}

interface Sample {
  readonly counter: keyof K6Counts;
  /** Time at which the request ended, in milliseconds since 1970. */
  readonly atMs: number;
}

const counters: Readonly<Record<string, keyof K6Counts>> = {
  http_reqs: 'requests',
  failures: 'failed',
  refusals: 'refused',
};

/** Parses a line of k6's JSON output. Returns undefined if it is not one of the counted metrics. */
export function parseSample(line: string): Sample | undefined {
  if (!line.startsWith('{')) return undefined;
  const { metric, type, data } = JSON.parse(line) as { metric: string; type: string; data: { time: string } };
  const counter = counters[metric];
  return type !== 'Point' || counter === undefined ? undefined : { counter, atMs: Date.parse(data.time) };
}

/** k6's scenario event-day beside a run: visitors with the accounts of the run, RATE (10) requests per second, without thresholds. */
export class K6Load {
  readonly #child: ChildProcess;
  readonly #closed: Promise<number | null>;
  readonly #total = { requests: 0, failed: 0, refused: 0 };
  #samples: Sample[] = [];
  #isStopping = false;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#closed = new Promise((resolve) => child.once('error', () => resolve(null)).once('close', resolve));
    if (child.stdout === null) throw new Error('k6 has no output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const sample = parseSample(line);
      if (sample === undefined) return;
      this.#samples.push(sample);
      this.#total[sample.counter] += 1;
    });
  }

  /** Starts k6. `folder`: for its log. */
  static start(program: string, world: World, folder: string): K6Load {
    const accounts = join(folder, 'k6-accounts.json');
    writeFileSync(accounts, JSON.stringify(accountsOf(world)), { mode: 0o600 });
    const bot = join(folder, 'k6-player.py');
    writeFileSync(bot, createChaosBot('k6'));
    const output = ['--out=json=-', `--log-output=file=${join(folder, 'k6.log')}`];
    const child = spawn(
      program,
      ['run', '--no-usage-report', '--no-thresholds', '--no-summary', '--quiet', ...output, loadScript],
      {
        env: {
          ...process.env,
          ORIGIN: world.anonymous.origin,
          ACCOUNTS: accounts,
          BOTS: bot,
          PROFILE: 'smoke',
          SCENARIOS: 'event-day',
          DURATION: String(durationS),
          // Bounds the memory of k6 while the platform is silent.
          VUS: '100',
        },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    child.once('close', () => rmSync(accounts, { force: true }));
    return new K6Load(child);
  }

  /** Returns the counts of the requests that ended since `from`, a time of `performance.now()`, and discards earlier ones. */
  since(from: number): K6Counts {
    this.#samples = this.#samples.filter(({ atMs }) => atMs >= performance.timeOrigin + from);
    const count = (counter: keyof K6Counts) => this.#samples.filter((sample) => sample.counter === counter).length;
    return { requests: count('requests'), failed: count('failed'), refused: count('refused') };
  }

  /** Counts of the whole run. */
  get summary(): string {
    return describeCounts(this.#total);
  }

  /** Problems if k6 ended before `stop` or sent nothing. */
  get problems(): string[] {
    const { exitCode, signalCode } = this.#child;
    if (!this.#isStopping && (exitCode !== null || signalCode !== null))
      return [`k6 ended early with ${exitCode ?? signalCode}, its reason is in k6.log`];
    return this.#total.requests === 0 ? ['k6 has sent no request, the reason is in k6.log'] : [];
  }

  /** Idempotent. */
  async stop(): Promise<void> {
    if (this.#child.exitCode === null) this.#isStopping = true;
    this.#child.kill('SIGINT');
    const force = setTimeout(() => this.#child.kill('SIGKILL'), forceMs);
    await this.#closed;
    clearTimeout(force);
  }
}

export const describeCounts = ({ requests, failed, refused }: K6Counts) =>
  `k6: ${failed} of ${requests} requests failed, ${refused} refused`;

/** Returns the accounts with their tokens, so that k6 need not sign in. */
function accountsOf({ admin, players, authors }: World): object {
  const users = [
    ...players.map((account) => ({ ...account, final: true })),
    ...authors.map((account) => ({ ...account, final: false })),
  ];
  return {
    users: users.map(({ username, caller, final }) => ({ username, token: caller.token ?? '', final })),
    password,
    admin: admin.token ?? '',
  };
}
