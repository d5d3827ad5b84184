import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from './api.ts';

/** Response of GET /sim/status/{id} for a finished match. */
export interface FinishedMatch {
  readonly job_status: string;
  readonly hands_played: number | null;
  readonly result_data?: Readonly<Record<string, number>>;
}

/** Polls a match until it has finished. Throws if it fails, or has not finished after `maxMs`. */
export async function waitUntilFinished(admin: Api, jobId: string, maxMs: number): Promise<FinishedMatch> {
  for (const endMs = Date.now() + maxMs; Date.now() < endMs; await pause(300)) {
    const status = await admin.get<FinishedMatch>(`/sim/status/${jobId}`);
    if (status.job_status === 'Failed') throw new Error(`match ${jobId} has failed`);
    if (status.job_status === 'Finished') return status;
  }
  throw new Error(`match ${jobId} has not finished within ${maxMs / 1000} s`);
}
