import type { DeleteTournamentResponse } from '@husky/contracts/types/simulation/v1/DeleteTournamentResponse';
import type { ListTournamentsResponse } from '@husky/contracts/types/simulation/v1/ListTournamentsResponse';
import type { Tournament as Presented } from '@husky/contracts/types/simulation/v1/Tournament';
import type { TournamentSpec__Output } from '@husky/contracts/types/simulation/v1/TournamentSpec';
import { idOnce, refuseRepeated } from '@husky/runtime/database/created-once';
import { sql } from '@husky/runtime/database/sql';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context, SimulationHandlers } from '../../context.ts';
import { auditWriter } from '../../store/audit.ts';
import { actionOf } from '../domain/actions.ts';
import { checkSpec, type Spec } from '../domain/spec.ts';
import { countEntrants, publishResults } from '../store/stages.ts';
import {
  actOnTournament as act,
  findTournament,
  insertTournament,
  listTournaments as list,
  deleteTournament as remove,
  type Tournament,
  updateTournament,
} from '../store/tournaments.ts';
import { presentHead, presentTournament } from './present-tournament.ts';

export function listTournaments(context: Context): SimulationHandlers['listTournaments'] {
  return async (): Promise<ListTournamentsResponse> => {
    const [tournaments, counts] = await Promise.all([list(context.pool), countEntrants(context.pool)]);
    return { tournaments: tournaments.map((one) => ({ ...presentHead(one), entrantCount: counts.get(one.id) ?? 0 })) };
  };
}

export function getTournament(context: Context): SimulationHandlers['getTournament'] {
  return async ({ slug }): Promise<Presented> =>
    presentTournament(context, await findTournament(context.pool, sql`slug = ${slug}`));
}

const required = (spec: TournamentSpec__Output | null): TournamentSpec__Output => {
  if (spec) return spec;
  throw new DomainError('INVALID_ARGUMENT', 'tournament-invalid', 'The tournament is missing.');
};

const subject = (verb: string, subjectId: string) => ({
  action: `tournament.${verb}`,
  subjectKind: 'tournament',
  subjectId,
});
const audited = ({ name, slug, entryDeadline, startsAt, entryList, ceremony, stages }: Spec | Tournament) => ({
  name,
  slug,
  entry_deadline: entryDeadline,
  starts_at: startsAt,
  listed: entryList.length,
  ceremony,
  stages: stages.length,
});

export function createTournament(context: Context): SimulationHandlers['createTournament'] {
  return async (request, { caller: admin }): Promise<Presented> => {
    const now = context.now();
    const id = await idOnce(async () => {
      // Before the deadline is compared: a repetition may come later.
      await refuseRepeated(context.pool, 'tournaments');
      const spec = checkSpec(request, now);
      const audit = (created: string) => auditWriter(admin, { ...subject('created', created), after: audited(spec) });
      return insertTournament(context.pool, spec, { now, userId: admin.id, audit });
    });
    context.relay.kick();
    return presentTournament(context, await findTournament(context.pool, sql`id = ${id}`));
  };
}

export function changeTournament(context: Context): SimulationHandlers['changeTournament'] {
  return async ({ slug, spec: given, expectedVersion }, { caller: admin }): Promise<Presented> => {
    const now = context.now();
    const spec = checkSpec(required(given), now);
    await updateTournament(context.pool, slug, spec, {
      now,
      expectedVersion,
      audit: (before) =>
        auditWriter(admin, { ...subject('changed', before.id), before: audited(before), after: audited(spec) }),
    });
    context.relay.kick();
    return presentTournament(context, await findTournament(context.pool, sql`slug = ${spec.slug}`));
  };
}

export function deleteTournament(context: Context): SimulationHandlers['deleteTournament'] {
  return async ({ slug }, { caller: admin }): Promise<DeleteTournamentResponse> => {
    await remove(context.pool, slug, context.now(), (before) =>
      auditWriter(admin, { ...subject('deleted', before.id), before: audited(before) }),
    );
    context.relay.kick();
    return {};
  };
}

export function actOnTournament(context: Context): SimulationHandlers['actOnTournament'] {
  return async ({ slug, action, revealed: seen }, { caller: admin }): Promise<Presented> => {
    const now = context.now();
    const players = await finalistsOf(context, slug);
    const { verb, decide } = actionOf(action, now, { players, seen });
    await act(context.pool, slug, now, decide, (before, after) => async (client) => {
      await auditWriter(admin, { ...subject(verb, before.id), before: { state: before.state }, after })(client);
      if (action === 'reveal' && after.revealed === players) await publishResults(client, before);
    });
    context.relay.kick();
    context.worker.kick();
    return presentTournament(context, await findTournament(context.pool, sql`slug = ${slug}`));
  };
}

/** Returns how many players the last stage had. */
async function finalistsOf({ pool }: Context, slug: string): Promise<number> {
  const { rows } = await pool.query<{ players: number }>(
    sql`SELECT count(*)::int AS players FROM tournament_results r JOIN tournaments t ON t.id = r.tournament_id
        WHERE t.slug = ${slug} AND r.number = (SELECT max(number) FROM tournament_stages WHERE tournament_id = t.id)`,
  );
  return rows[0]?.players ?? 0;
}
