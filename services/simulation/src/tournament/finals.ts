import type { Context } from '../context.ts';
import type { Tournament } from './store/tournaments.ts';

/** Returns the final submissions of those who may enter; `at`: those at that time. */
export async function finalsOf({ submission }: Context, { entryList }: Pick<Tournament, 'entryList'>, at = '') {
  const { finals } = await submission.listFinals({ at });
  const listed = new Set(entryList);
  return listed.size === 0 ? finals : finals.filter(({ userId }) => listed.has(userId));
}
