import type { Tournament as Presented } from '@husky/contracts/types/simulation/v1/Tournament';
import type { TournamentStage } from '@husky/contracts/types/simulation/v1/TournamentStage';
import type { TournamentStanding } from '@husky/contracts/types/simulation/v1/TournamentStanding';
import type { Context } from '../../context.ts';
import { progressOf } from '../../store/batches.ts';
import { findPlanRecord } from '../../store/plans.ts';
import { handsEachOf, maxEntrants, minEntrants, planStage, playersOf, type StageSpec } from '../domain/stage.ts';
import { finalsOf } from '../finals.ts';
import { isHidden, playersOfStage, standingOfStage } from '../standings.ts';
import { fleetSpeed } from '../store/fleet-speed.ts';
import { entrantsOf, resultsOf, type StageResult } from '../store/stages.ts';
import { listTournaments, type StoredStage, type Tournament } from '../store/tournaments.ts';

const time = (date: Date | string | null) => (date === null ? '' : new Date(date).toISOString());

const presentSpec = ({ advance, stopRule, ...spec }: StageSpec) => ({
  ...spec,
  advance: advance ?? 0,
  stopAlpha: stopRule?.alpha ?? 0,
  stopMargin: stopRule?.margin ?? 0,
});

/** Presents a tournament without entrants and standings. */
export function presentHead(tournament: Tournament): Presented {
  const { id, state, problem, championId, frozenAt, startedAt, endedAt, version, revealed, stages } = tournament;
  return {
    id,
    state,
    problem,
    championId: tournament.ceremony ? '' : (championId ?? ''),
    frozenAt: time(frozenAt),
    startedAt: time(startedAt),
    endedAt: time(endedAt),
    createdAt: time(tournament.createdAt),
    version,
    revealed,
    spec: {
      name: tournament.name,
      slug: tournament.slug,
      description: tournament.description,
      prize: tournament.prize,
      entryDeadline: time(tournament.entryDeadline),
      startsAt: time(tournament.startsAt),
      template: tournament.template,
      stages: stages.map(({ spec }) => presentSpec(spec)),
      entryList: [...tournament.entryList],
      ceremony: tournament.ceremony,
    },
    stages: stages.map(({ spec, state: played }) => ({ name: spec.name, state: played })),
  };
}

export async function presentTournament(context: Context, tournament: Tournament): Promise<Presented> {
  const { pool } = context;
  const { id, stages, ceremony, revealed } = tournament;
  const [frozen, results, record, others, speed] = await Promise.all([
    entrantsOf(pool, id),
    resultsOf(pool, id),
    findPlanRecord(pool, id),
    listTournaments(pool),
    fleetSpeed(pool, context.now()),
  ]);
  // Before the deadline: also of users whose account is verified only by then.
  const entrants = tournament.state === 'open' ? await finalsOf(context, tournament) : frozen;
  const ids = entrants.map(({ userId }) => userId);
  const drawBy = record?.commitment ?? '';
  const planned = playersOf(
    stages.map(({ spec }) => spec),
    Math.max(minEntrants, Math.min(maxEntrants, ids.length)),
  );
  const presented = stages.map((stage, index) =>
    presentStage(context, tournament, stage, { ids, results, drawBy, planned: planned[index] ?? minEntrants }),
  );
  const hands = stages.reduce(
    (sum, { spec }, index) => sum + planStage(spec, planned[index] ?? minEntrants).matches * spec.hands,
    0,
  );
  const last = results.get(stages.length) ?? [];
  const isRevealed = !ceremony || revealed >= last.length;
  return {
    ...presentHead(tournament),
    championId: isRevealed ? (tournament.championId ?? '') : '',
    entrants: entrants.map(({ userId, botHash }) => ({ userId, botHash: tournament.state === 'open' ? '' : botHash })),
    entrantCount: entrants.length,
    stages: await Promise.all(presented),
    expectedSeconds: speed > 0 ? hands / speed : 0,
    overlaps: others.filter((other) => overlap(tournament, other)).map(({ slug }) => slug),
    ...(record && {
      record: { number: record.number, hash: record.commitment, madeAt: record.madeAt.toISOString() },
    }),
  };
}

const overlapMs = 24 * 3_600_000;

/** Whether two tournaments that have not ended are played at about the same time: they share the runners. */
function overlap(one: Tournament, other: Tournament): boolean {
  const isOver = [one, other].some(({ state }) => state === 'finished' || state === 'cancelled');
  const startOf = ({ startsAt, entryDeadline }: Tournament) => (startsAt ?? entryDeadline).getTime();
  return !isOver && one.id !== other.id && Math.abs(startOf(one) - startOf(other)) < overlapMs;
}

interface StageFacts {
  readonly ids: readonly string[];
  readonly results: ReadonlyMap<number, readonly StageResult[]>;
  readonly drawBy: string;
  readonly planned: number;
}

async function presentStage(
  context: Context,
  tournament: Tournament,
  stage: StoredStage,
  { ids, results, drawBy, planned }: StageFacts,
): Promise<TournamentStage> {
  const { spec, batchId, state } = stage;
  const players = playersOfStage(stage, ids, results);
  const count = state === 'pending' ? planned : players.length;
  const plan = planStage(spec, count);
  const hidden = state !== 'pending' && isHidden(tournament, stage, players.length);
  const progress =
    state === 'pending' ? undefined : (await progressOf(context.pool, [batchId], context.now())).get(batchId);
  const standing =
    state === 'running' && !hidden
      ? (await standingOfStage(context, stage, { players, before: results, drawBy })).results
      : (results.get(stage.number) ?? []);
  const speed = progress && progress.recentSeconds > 0 ? progress.recentHands / progress.recentSeconds : 0;
  const left = (plan.matches - (progress?.finished ?? 0)) * spec.hands - (progress?.handsInPlay ?? 0);
  const shown = hidden ? standing.filter(({ place }) => place > players.length - tournament.revealed) : standing;
  return {
    name: spec.name,
    state,
    spec: presentSpec(spec),
    batchId: state === 'pending' ? '' : batchId,
    players: count,
    matches: plan.matches,
    finished: progress?.finished ?? 0,
    handsEach: handsEachOf(spec, plan, count),
    secondsLeft: state === 'running' && speed > 0 ? left / speed : 0,
    standings: shown.map(presentStanding),
    startedAt: time(stage.startedAt),
    endedAt: time(stage.endedAt),
    hidden,
  };
}

const presentStanding = ({
  userId,
  rank,
  delta,
  matches,
  adjusted,
  low,
  high,
  advances,
}: StageResult): TournamentStanding => ({
  userId,
  rank,
  delta,
  matches,
  advances,
  ...(adjusted === null || low === null || high === null ? {} : { adjusted, low, high }),
});
