import type { ExportedMatch__Output } from '@husky/contracts/types/live/v1/ExportedMatch';
import type { SeedReveal__Output } from '@husky/contracts/types/simulation/v1/SeedReveal';
import { csvWriter, jsonlWriter, type MatchWriter, phhWriter } from '@husky/match/match-file';
import { licenseOf } from '@husky/runtime/process/data-license';
import type { Caller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context } from '../../context.ts';
import { presentRecord, presentSeedProof } from '../live/present.ts';

/** What a manifest says beside the match. */
export interface ManifestSource {
  readonly context: Context;
  readonly caller: Caller;
  readonly publicUrl: string;
  /** SPDX id of the license of the data. */
  readonly license: string;
}

interface PublicInput {
  readonly roster?: readonly { readonly botHash?: string; readonly packagesHash?: string }[];
  readonly rulesVersion?: number;
  readonly plan?: object;
}

/** Reads the plan of a match with what opens the hashes of its players' names. Null: without a plan. */
async function readPlan({ jobId, playerIds }: ExportedMatch__Output, context: Context, caller: Caller) {
  const { text, names } = await context.simulation.getPlan({ jobId }, { caller });
  if (text === '') return null;
  const own = names.filter(({ userId }) => playerIds.includes(userId));
  return { text, names: own.map(({ userId, name, salt }) => ({ user_id: userId, name, salt })) };
}

/**
 * Builds the manifest of a match: players with their ids and the hashes of their bots, commitment, seed (null before it is published), digest.
 * Names are those of the plan, which are committed to; without a plan the current ones. Returns it with the names by player.
 */
export async function buildManifest(
  match: ExportedMatch__Output,
  { context, caller, publicUrl, license }: ManifestSource,
) {
  const { jobId, playerIds } = match;
  const [job, revealed, currentNameOf] = await Promise.all([
    context.simulation.getJob({ jobId }, { caller }),
    publishedSeed(jobId, context, caller),
    context.names.of(playerIds),
  ]);
  const publicInput = job.commitmentDetails?.publicInput ?? '';
  const input = publicInput === '' ? {} : (JSON.parse(publicInput) as PublicInput);
  const record = job.commitmentDetails?.record;
  const plan = input.plan ? await readPlan(match, context, caller) : null;
  const planned = new Map(plan?.names.map(({ user_id: id, name }) => [id, name]));
  const nameOf = (id: string) => planned.get(id) ?? currentNameOf(id);
  const manifest = {
    job_id: jobId,
    source: new URL(`/games/${jobId}`, publicUrl).href,
    batch_id: match.batchId || null,
    batch_number: job.batchNumber || null,
    game_number: match.gameNumber,
    players: playerIds.map((id, seat) => ({
      seat: seat + 1,
      username: nameOf(id),
      user_id: id,
      bot_hash: input.roster?.[seat]?.botHash ?? null,
      packages_hash: input.roster?.[seat]?.packagesHash || null,
    })),
    hands: match.hands,
    num_rounds: job.numRounds,
    stacks: job.stacks || 'carry',
    blinds: job.blinds && {
      big_blind: job.blinds.bigBlind,
      multiplier: job.blinds.multiplier,
      interval: job.blinds.interval,
    },
    rules_version: input.rulesVersion ?? null,
    ...(plan && { plan }),
    attempt: match.attempt,
    digest: match.digest,
    commitment: job.commitment || null,
    commitment_input: publicInput || null,
    commitment_record: record ? presentRecord(record) : null,
    seed: revealed?.seedHex ?? null,
    ...(revealed?.listRecord && { seed_proof: presentSeedProof(revealed) }),
    started_at: match.startedAt,
    ended_at: job.endedAt || null,
    made_at: new Date().toISOString(),
    license: licenseOf(license),
  };
  return { manifest, nameOf };
}

async function publishedSeed(jobId: string, context: Context, caller: Caller): Promise<SeedReveal__Output | null> {
  try {
    return await context.simulation.getSeed({ jobId }, { caller });
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'seed-not-published') return null;
    throw error;
  }
}

export const formats = ['jsonl', 'phh', 'csv'] as const;
export type Format = (typeof formats)[number];

export const writers: Readonly<Record<Format, MatchWriter>> = { jsonl: jsonlWriter, phh: phhWriter, csv: csvWriter };
