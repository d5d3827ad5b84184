import type { Tournament__Output } from '@husky/contracts/types/simulation/v1/Tournament';
import type { TournamentStage__Output } from '@husky/contracts/types/simulation/v1/TournamentStage';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { type Route, reply, route } from '../../http/route.ts';
import { signEnd } from '../../signatures.ts';
import {
  changeBody,
  created,
  done,
  revealQuery,
  type StageBody,
  slugParams,
  stageBody,
  type TournamentBody,
  tournament,
  tournamentBody,
  tournaments,
} from './schema.ts';

const stageSpec = ({ name, mode, stacks, hands, hands_each, advance, big_blind, stop_rule }: StageBody) => ({
  name,
  mode,
  stacks: stacks ?? '',
  hands,
  handsEach: hands_each,
  advance: advance ?? 0,
  bigBlind: big_blind,
  stopAlpha: stop_rule?.alpha ?? 0,
  stopMargin: stop_rule?.margin ?? 0,
});

async function specOf(body: TournamentBody, context: Context) {
  const { ids, unknown } = await context.names.idsOf(body.entry_list);
  if (unknown.length > 0) {
    throw new DomainError('FAILED_PRECONDITION', 'no-such-user', `There is no user ${unknown.join(', ')}`);
  }
  const { name, slug, description, prize, template, ceremony } = body;
  const stages = (body.stages ?? []).map(stageSpec);
  const times = { entryDeadline: body.entry_deadline, startsAt: body.starts_at ?? '' };
  return { name, slug, description, prize, template, ceremony, stages, ...times, entryList: ids };
}

const orNull = (value: string) => value || null;

function presentHead(
  { spec, state, championId, problem, ...rest }: Tournament__Output,
  nameOf: (id: string) => string,
) {
  const {
    name = '',
    slug = '',
    description = '',
    prize = '',
    entryDeadline = '',
    startsAt = '',
    ceremony = false,
  } = spec ?? {};
  return {
    name,
    slug,
    state: state as z.output<typeof tournament>['state'],
    description,
    prize,
    entry_deadline: entryDeadline,
    starts_at: orNull(startsAt),
    frozen_at: orNull(rest.frozenAt),
    started_at: orNull(rest.startedAt),
    ended_at: orNull(rest.endedAt),
    champion: championId === '' ? null : nameOf(championId),
    problem: orNull(problem),
    ceremony,
  };
}

type Stage = z.output<typeof tournament>['stages'][number];

function presentStage(
  { spec, standings, batchId, ...stage }: TournamentStage__Output,
  nameOf: (id: string) => string,
  numbers: ReadonlyMap<string, number>,
): Stage {
  const { name, mode, hands, handsEach, advance, stacks, bigBlind, stopAlpha, stopMargin } = spec ?? stageDefaults;
  return {
    name: stage.name,
    state: stage.state as Stage['state'],
    spec: stageBody.parse({
      name,
      mode,
      stacks,
      hands,
      hands_each: handsEach,
      advance: advance || null,
      big_blind: bigBlind,
      stop_rule: stopAlpha === 0 ? null : { alpha: stopAlpha, margin: stopMargin },
    }),
    batch_number: numbers.get(batchId) ?? null,
    players: stage.players,
    matches: stage.matches,
    finished: stage.finished,
    hands_each: stage.handsEach,
    seconds_left: stage.secondsLeft || null,
    started_at: orNull(stage.startedAt),
    ended_at: orNull(stage.endedAt),
    hidden: stage.hidden,
    standings: standings.map(({ userId, rank, delta, matches, adjusted, low, high, advances }) => ({
      rank,
      username: nameOf(userId),
      delta,
      matches,
      adjusted: adjusted ?? null,
      low: low ?? null,
      high: high ?? null,
      advances,
    })),
  };
}

const stageDefaults = {
  name: '',
  mode: '',
  hands: 1,
  handsEach: 1,
  advance: 0,
  stacks: '',
  bigBlind: 10,
  stopAlpha: 0,
  stopMargin: 0,
};

async function present(found: Tournament__Output, context: Context): Promise<z.output<typeof tournament>> {
  const { entrants, stages, spec, record, championId } = found;
  const entryList = spec?.entryList ?? [];
  const ids = [...entrants.map(({ userId }) => userId), ...entryList, ...(championId === '' ? [] : [championId])];
  const batchIds = stages.flatMap(({ batchId }) => (batchId === '' ? [] : [batchId]));
  const [nameOf, { batches }] = await Promise.all([
    context.names.of(ids),
    batchIds.length === 0
      ? { batches: [] }
      : context.simulation.listBatchNumbers({ batchIds }, { caller: { kind: 'anonymous' } }),
  ]);
  const numbers = new Map(batches.map(({ batchId, batchNumber }) => [batchId, batchNumber]));
  const bots = entrants.map(({ userId, botHash }) => ({ username: nameOf(userId), bot_hash: botHash }));
  bots.sort((a, b) => (a.username.toLowerCase() < b.username.toLowerCase() ? -1 : 1));
  return {
    ...presentHead(found, nameOf),
    template: orNull(spec?.template ?? ''),
    version: found.version,
    entry_list: entryList.map(nameOf),
    entrants: bots.map(({ username }) => username),
    bots: record ? bots : [],
    stages: stages.map((stage) => presentStage(stage, nameOf, numbers)),
    expected_seconds: found.expectedSeconds || null,
    revealed: found.revealed,
    overlaps: found.overlaps,
    record: record && { number: record.number, hash: record.hash, made_at: record.madeAt },
  };
}

const actions = {
  start: 'Start a frozen tournament now, before its time',
  pause: 'Pause it: what is being played ends, nothing else is started',
  resume: 'Continue it; matches that have failed are played again',
  cancel: 'End it without a champion; stages that have ended keep their results',
  reveal: 'Reveal the next place of the last stage, from the last one to the first',
} as const;

const actionRoute = ([action, summary]: [string, string]) =>
  route(`POST /tournaments/{slug}/${action}`, {
    access: 'admin',
    summary,
    params: slugParams,
    query: revealQuery,
    response: tournament,
    refusals: [400, 404, 409],
    async handle({ params: { slug }, query: { revealed }, context, caller }) {
      const request = { slug, action, ...(revealed < 0 ? {} : { revealed }) };
      return present(await context.simulation.actOnTournament(request, { caller }), context);
    },
  });

/** Returns the routes for tournaments. `publicUrl`: the site's address in documents. */
export const tournamentRoutes = (publicUrl: string): Route[] => [
  route('GET /tournaments', {
    access: 'anyone',
    summary: 'All tournaments, the latest deadline first',
    response: tournaments,
    shared: { among: 'everyone' },
    async handle({ context, caller }) {
      const list = (await context.simulation.listTournaments({}, { caller })).tournaments;
      const nameOf = await context.names.of(list.flatMap(({ championId }) => (championId === '' ? [] : [championId])));
      return {
        tournaments: list.map((one) => ({
          ...presentHead(one, nameOf),
          entrant_count: one.entrantCount,
          stages: one.stages.map(({ name, state }) => ({ name, state: state as Stage['state'] })),
        })),
      };
    },
  }),
  route('GET /tournaments/{slug}', {
    access: 'anyone',
    summary: 'A tournament: entrants, stages with progress and standings, champion, and the record of the frozen list',
    params: slugParams,
    response: tournament,
    refusals: [404],
    shared: { among: 'everyone' },
    async handle({ params: { slug }, context, caller }) {
      return present(await context.simulation.getTournament({ slug }, { caller }), context);
    },
  }),
  route('GET /tournaments/{slug}/document', {
    access: 'anyone',
    summary:
      'How it was run, signed, for husky verify: the frozen list, and plan and results of each stage that has ended',
    params: slugParams,
    response: 'file',
    contentTypes: ['application/json'],
    refusals: [400, 404],
    async handle({ params: { slug }, context, caller }) {
      const { json } = await context.simulation.getTournamentDocument({ slug }, { caller });
      const source = new URL(`/tournaments/${slug}`, publicUrl).href;
      const document = { ...(JSON.parse(json) as object), source };
      return reply({
        body: await signEnd(context, 'tournament', JSON.stringify(document)),
        headers: {
          'Content-Type': 'application/json',
          'Content-Disposition': `attachment; filename="tournament-${slug}.json"`,
        },
      });
    },
  }),
  route('POST /tournaments', {
    access: 'admin',
    repeatable: true,
    summary: 'A new tournament: it freezes its entrants at the deadline and plays its stages by itself',
    body: tournamentBody,
    response: created,
    refusals: [400, 409],
    async handle({ body, context, caller }) {
      const { spec } = await context.simulation.createTournament(await specOf(body, context), { caller });
      context.eventSettings.forget();
      return { slug: spec?.slug ?? body.slug };
    },
  }),
  route('POST /tournaments/{slug}', {
    access: 'admin',
    summary: 'Change a tournament before its deadline',
    params: slugParams,
    body: changeBody,
    response: created,
    refusals: [400, 404, 409],
    async handle({ params: { slug }, body: { expected_version, ...body }, context, caller }) {
      const request = {
        slug,
        spec: await specOf(body, context),
        ...(expected_version === undefined ? {} : { expectedVersion: expected_version }),
      };
      const changed = await context.simulation.changeTournament(request, { caller });
      return { slug: changed.spec?.slug ?? body.slug };
    },
  }),
  route('DELETE /tournaments/{slug}', {
    access: 'admin',
    summary: 'Delete a tournament before its deadline',
    params: slugParams,
    response: done,
    refusals: [400, 404],
    async handle({ params: { slug }, context, caller }) {
      await context.simulation.deleteTournament({ slug }, { caller });
      context.eventSettings.forget();
      return { message: 'Tournament deleted' };
    },
  }),
  ...Object.entries(actions).map(actionRoute),
];
