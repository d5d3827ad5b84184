import type { TournamentDocument as Presented } from '@husky/contracts/types/simulation/v1/TournamentDocument';
import { restRecord } from '@husky/match/commitment';
import { type TournamentDocument, tournamentFormat } from '@husky/match/tournament-document';
import { sql } from '@husky/runtime/database/sql';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context, SimulationHandlers } from '../../context.ts';
import { shownNumbers } from '../../store/batches.ts';
import { findPlan } from '../../store/plans.ts';
import { isHidden } from '../standings.ts';
import { faultsOfStage, resultsOf } from '../store/stages.ts';
import { findTournament } from '../store/tournaments.ts';

/** Returns how a tournament was run so far. Throws FAILED_PRECONDITION before its list is frozen. */
export function getTournamentDocument(context: Context): SimulationHandlers['getTournamentDocument'] {
  return async ({ slug }): Promise<Presented> => {
    const { pool, prisma } = context;
    const tournament = await findTournament(pool, sql`slug = ${slug}`);
    const list = await recordedOf(context, tournament.id);
    if (!list) {
      const message =
        'The document of a tournament begins with the frozen list of its entrants: wait for the deadline.';
      throw new DomainError('FAILED_PRECONDITION', 'tournament-not-frozen', message);
    }
    const results = await resultsOf(pool, tournament.id);
    const ended = tournament.stages.filter(
      (stage) => stage.state === 'finished' && !isHidden(tournament, stage, results.get(stage.number)?.length ?? 0),
    );
    const numbers = await shownNumbers(
      prisma,
      ended.map(({ batchId }) => batchId),
    );
    const stages = ended.map(async ({ number, spec, batchId, startedAt, endedAt }) => {
      const [plan, faults] = await Promise.all([recordedOf(context, batchId), faultsOfStage(pool, batchId)]);
      if (!plan) throw new Error(`the plan of stage ${number} is missing`);
      const none = { neverStarted: 0, decisions: 0, failedDecisions: 0 };
      return {
        name: spec.name,
        batch_number: numbers.find(({ id }) => id === batchId)?.shownNumber ?? 0,
        started_at: startedAt ?? '',
        ended_at: endedAt ?? '',
        text: plan.text,
        record: plan.record,
        results: (results.get(number) ?? []).map(({ userId, place: _, ...result }) => {
          const { neverStarted, decisions, failedDecisions } = faults.get(userId) ?? none;
          return {
            user_id: userId,
            ...result,
            never_started: neverStarted,
            decisions,
            failed_decisions: failedDecisions,
          };
        }),
      };
    });
    const document: Omit<TournamentDocument, 'source'> = {
      format: tournamentFormat,
      slug,
      name: tournament.name,
      list: { text: list.text, record: list.record },
      names: list.names.map(({ userId, name, salt }) => ({ user_id: userId, name, salt })),
      stages: await Promise.all(stages),
      champion: ended.length === tournament.stages.length ? tournament.championId : null,
    };
    return { json: JSON.stringify(document) };
  };
}

async function recordedOf({ pool }: Context, id: string) {
  const plan = await findPlan(pool, id);
  if (!plan) return undefined;
  const { madeAt, seeds, ...record } = plan.record;
  const published = { ...record, time: madeAt.toISOString(), ...(seeds && { seeds }) };
  return { text: plan.text, names: plan.names, record: restRecord(published) };
}
