import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HandRecord } from '@husky/match/record';
import { RULES_VERSION } from '@husky/match/rules-version';
import type { SeatHost } from '@husky/runner/host/seat-host';
import { Match, type MatchEnd } from '@husky/runner/play/match';
import type { SeatReport } from '@husky/runner/play/seat';
import type { SeatFiles } from '@husky/runner/play/setup';
import type { PlannedMatch } from './plan.ts';
import type { PlayRequest } from './request.ts';

/** A match that was played to its end. `reports` are by seat. */
export interface PlayedMatch {
  readonly plan: PlannedMatch;
  readonly records: readonly HandRecord[];
  readonly reports: readonly SeatReport[];
  readonly end: MatchEnd;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly playMs: number;
}

/** Plays one match on a seat host. Rejects with the reason of `stop` when it aborts. Calls `onHands` with the number of hands done. */
export async function playMatch(
  plan: PlannedMatch,
  request: PlayRequest,
  host: SeatHost,
  onHands: (done: number) => void,
  stop: AbortSignal,
): Promise<PlayedMatch> {
  stop.throwIfAborted();
  const { settings, order, jobId, attempt } = plan;
  const records: HandRecord[] = [];
  const match = new Match(
    {
      name: `${jobId}:${attempt}`,
      rulesVersion: settings.rules_version ?? RULES_VERSION,
      seed: Buffer.from(settings.seed, 'hex'),
      numRounds: settings.hands,
      startingStack: settings.starting_stack,
      stacks: settings.stacks,
      blinds: {
        bigBlind: settings.blinds.big_blind,
        multiplier: settings.blinds.multiplier,
        interval: settings.blinds.interval,
      },
      profile: settings.profile,
      limits: request.limits,
      seats: order.map((bot) => seatFiles(request, bot, host.runDir)),
    },
    host,
    {
      onHand(_, record) {
        records.push(request.times ? record : withoutTimes(record));
        onHands(records.length);
      },
      hold: () => null,
    },
  );
  const onStop = () => match.stop(stop.reason as Error);
  stop.addEventListener('abort', onStop);
  const startedAtMs = request.times ? Date.now() : 0;
  try {
    await match.start();
    const began = performance.now();
    const end = await match.play();
    const playMs = performance.now() - began;
    const reports = await match.close();
    return { plan, records, reports, end, startedAtMs, endedAtMs: request.times ? Date.now() : 0, playMs };
  } catch (error) {
    await match.close().catch(() => host.disconnect());
    throw error;
  } finally {
    stop.removeEventListener('abort', onStop);
  }
}

/** Copies the two files of a bot, and no others, to a folder that seats can read: the platform has no other files either. */
function seatFiles({ bots }: PlayRequest, bot: number, runDir: string): SeatFiles {
  const files = bots[bot];
  if (files === undefined) throw new RangeError(`there is no bot ${bot}`);
  const botDir = join(runDir, 'bots', String(bot));
  mkdirSync(botDir, { recursive: true, mode: 0o755 });
  copyFileSync(files.player_file, join(botDir, 'player.py'));
  if (files.requirements_file === null) writeFileSync(join(botDir, 'requirements.txt'), '');
  else copyFileSync(files.requirements_file, join(botDir, 'requirements.txt'));
  return { botDir, packagesDir: files.packages_dir };
}

function withoutTimes(record: HandRecord): HandRecord {
  return { ...record, startedAtMs: 0, actions: record.actions.map((action) => ({ ...action, ms: 0 })) };
}
