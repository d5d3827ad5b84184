import type { MatchItem__Output } from '@husky/contracts/types/live/v1/MatchItem';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { presentMatches } from './present.ts';
import type { nowResponse } from './schema.ts';

type Now = z.output<typeof nowResponse>;

const maxRunning = 50;
const maxFinished = 6;
const asAnonymous = { caller: { kind: 'anonymous' } } as const;

/** Lists the public matches in play and the last finished ones. */
export async function listMatchesNow(context: Context): Promise<Now> {
  const list = (status: string, pageSize: number) =>
    context.liveData.listMatches({ publicOnly: true, status, page: 1, pageSize, order: 'newest' }, asAnonymous);
  const [running, finished] = await Promise.all([list('Running', maxRunning), list('Finished', maxFinished)]);
  const items = [...running.matches, ...finished.matches];
  const presented = await presentMatches(items, context);
  const all = items.map((item, at) => presentNow(item, presented[at] as (typeof presented)[number], context));
  return { running: all.slice(0, running.matches.length), finished: all.slice(running.matches.length) };
}

function presentNow(
  item: MatchItem__Output,
  shown: Awaited<ReturnType<typeof presentMatches>>[number],
  context: Context,
): Now['running'][number] {
  const { hands, first_game_created_at, is_public: _, ...rest } = shown;
  return {
    ...rest,
    hands_done: hands,
    num_rounds: item.numRounds,
    hands_per_second: Math.round(item.handsPerSecond * 100) / 100,
    watchers: context.watchers.count(item.jobId),
    started_at: first_game_created_at,
  };
}
