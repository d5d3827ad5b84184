// Measures how long live-data takes to store and to accept a match, for bench-lists and bench-growth.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { registerVerified, submitFinal } from '../../demo/accounts.ts';
import { Api } from '../../demo/api.ts';
import { waitUntilFinished } from '../../demo/wait-until-finished.ts';
import type { OwnPlatform } from '../../up/own-platform.ts';

const bot = 'calling-station';
const hands = 1000;
const maxMatchMs = 300_000;
const calls = ['live-data/DeliverChunk', 'live-data/CompleteMatch'] as const;

export interface Acceptance {
  readonly matches: number;
  /** Mean duration in ms of each call since the start of the platform. */
  readonly meanMs: Readonly<Record<string, number>>;
}

/** Plays `matches` matches of 1,000 hands and returns the mean durations of the calls that store and accept them. */
export async function measureAcceptance(platform: OwnPlatform, matches: number): Promise<Acceptance> {
  const play = await prepareMatches(platform);
  for (let match = 0; match < matches; match++) await play();
  return { matches, meanMs: await readMeanDurations(readOpsAddress(platform.pidOf('live-data'))) };
}

/** Creates six users with final bots. Returns a function that plays a match of 1,000 hands between them. */
export async function prepareMatches(platform: OwnPlatform): Promise<() => Promise<void>> {
  const admin = await new Api(platform.origin).signIn(platform.admin);
  const run = randomBytes(4).toString('hex');
  const users: string[] = [];
  for (let seat = 1; seat <= 6; seat++) {
    const username = `accepted-${run}-${seat}`;
    await submitFinal(await registerVerified(admin, username), bot);
    users.push(username);
  }
  return async () => {
    const body = { users_list: users, num_rounds: hands };
    const { job_id } = await admin.post<{ job_id: string }>('/sim/async_run_user', body);
    await waitUntilFinished(admin, job_id, maxMatchMs);
  };
}

function readOpsAddress(pid: number | undefined): string {
  const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  const entry = variables.find((variable) => variable.startsWith('OPS_ADDRESS='));
  if (entry === undefined) throw new Error('live-data has no ops address');
  return entry.slice('OPS_ADDRESS='.length);
}

async function readMeanDurations(address: string): Promise<Record<string, number>> {
  const text = await (await fetch(`http://${address}/metrics`)).text();
  return Object.fromEntries(
    calls.map((call) => {
      const value = (name: RegExp) => {
        const lines = text.split('\n').filter((line) => name.test(line) && line.includes(`method="${call}"`));
        return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf('} ') + 2).split(' ')[0]), 0);
      };
      return [call, value(/^rpc_server_duration\w*_sum\{/) / value(/^rpc_server_duration\w*_count\{/)];
    }),
  );
}
