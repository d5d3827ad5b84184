import type { LadderEntry__Output } from '@husky/contracts/types/simulation/v1/LadderEntry';
import type { LadderPart__Output } from '@husky/contracts/types/simulation/v1/LadderPart';
import { csvLine } from '@husky/match/csv';
import { csvFile, route } from '../../http/route.ts';
import { envelopeOf } from '../../http/schema.ts';
import {
  historyParams,
  historyResponse,
  ladderQuery,
  ladderResponse,
  partBody,
  partResponse,
  setsQuery,
} from './schema.ts';

const presentEntry = (entry: LadderEntry__Output, nameOf: (id: string) => string) => ({
  rank: entry.rank,
  best_rank: entry.bestRank,
  worst_rank: entry.worstRank,
  username: nameOf(entry.userId),
  version: entry.version,
  rating: entry.rating,
  low: entry.low,
  high: entry.high,
  hands: entry.hands,
  sets: entry.sets,
  house: entry.house,
  paused: entry.paused,
  day_change: entry.dayChange ?? null,
  recent: entry.recent,
});

const presentPart = ({ takesPart, pausedAt, pauseReason }: LadderPart__Output) => ({
  takes_part: takesPart,
  paused_at: pausedAt || null,
  pause_reason: pauseReason || null,
});

/** `value`: chips won without luck. */
const setColumns = ['set', 'ended_at', 'hands', 'username', 'version', 'predecessor', 'value'];

const ratingColumns = Object.keys(ladderResponse.shape.entries.element.shape).filter(
  (column) => !['day_change', 'recent'].includes(column),
) as Exclude<keyof ReturnType<typeof presentEntry>, 'day_change' | 'recent'>[];
const maxListed = 1000;

export const ladderRoutes = [
  route('GET /ladder', {
    access: 'anyone',
    summary: 'The ladder: ratings of the final submissions, which meet by themselves while runners are free',
    query: ladderQuery,
    response: ladderResponse,
    shared: { among: 'everyone' },
    async handle({ query: { page, page_size: pageSize }, context, caller }) {
      const ladder = await context.simulation.getLadder({ page, pageSize }, { caller });
      const ids = [...ladder.entries.map(({ userId }) => userId), ...ladder.playing.flatMap(({ userIds }) => userIds)];
      const nameOf = await context.names.of(ids);
      return {
        entries: ladder.entries.map((entry) => presentEntry(entry, nameOf)),
        computed_at: ladder.computedAt || null,
        methodology_version: ladder.methodologyVersion,
        on: ladder.on,
        hands_a_set: ladder.hands,
        playing: ladder.playing.map(({ startedAt, userIds, handsDone, numRounds }) => ({
          started_at: startedAt,
          players: userIds.map(nameOf),
          hands_done: handsDone,
          hands: numRounds,
        })),
        ...envelopeOf(ladder.total, page, pageSize),
      };
    },
  }),
  route('GET /ladder/ratings.csv', {
    access: 'anyone',
    summary: 'The ratings of the ladder, best first; at most 1,000',
    response: 'file',
    contentTypes: ['text/csv'],
    async handle({ context, caller }) {
      const { entries } = await context.simulation.getLadder({ page: 1, pageSize: maxListed }, { caller });
      const nameOf = await context.names.of(entries.map(({ userId }) => userId));
      const rows = entries.map((entry) => {
        const shown = presentEntry(entry, nameOf);
        return csvLine(ratingColumns.map((column) => shown[column]));
      });
      return csvFile('ladder-ratings.csv', `${ratingColumns.join(',')}\r\n${rows.join('')}`);
    },
  }),
  route('GET /ladder/sets.csv', {
    access: 'anyone',
    summary: 'The sets that count, a row for each seat, in the order from which the ratings follow; at most 1,000 sets',
    query: setsQuery,
    response: 'file',
    contentTypes: ['text/csv'],
    async handle({ query: { after }, context, caller }) {
      const { sets } = await context.simulation.listLadderSets({ after, limit: 1000 }, { caller });
      const nameOf = await context.names.of(sets.flatMap(({ seats }) => seats.map(({ userId }) => userId)));
      const rows = sets.flatMap(({ number, endedAt, hands, seats }) =>
        seats.map(({ userId, version, predecessor, value }) =>
          csvLine([number, endedAt, hands, nameOf(userId), version, predecessor || '', value]),
        ),
      );
      return csvFile('ladder-sets.csv', `${setColumns.join(',')}\r\n${rows.join('')}`);
    },
  }),
  route('GET /ladder/{username}', {
    access: 'anyone',
    summary: "A player's rating on the ladder, its course by version, and the last sets",
    params: historyParams,
    response: historyResponse,
    refusals: [404],
    shared: { among: 'visitors' },
    async handle({ params, context, caller }) {
      const userId = await context.names.idOf(params.username);
      const { entry, versions, sets } = await context.simulation.getLadderPlayer({ userId }, { caller });
      const nameOf = await context.names.of([userId, ...sets.flatMap(({ opponentIds }) => opponentIds)]);
      return {
        username: nameOf(userId),
        entry: entry && presentEntry(entry, nameOf),
        versions,
        sets: sets.map(({ setId, endedAt, badMatches, opponentIds, jobIds, ...set }) => ({
          ...set,
          set_id: setId,
          ended_at: endedAt,
          bad_matches: badMatches,
          opponents: opponentIds.map(nameOf),
          job_ids: jobIds,
        })),
      };
    },
  }),
  route('GET /submission/ladder', {
    access: 'verified',
    summary: 'Whether the caller takes part in the ladder, and why the bot is paused there',
    response: partResponse,
    async handle({ context, caller }) {
      return presentPart(await context.simulation.getLadderPart({}, { caller }));
    },
  }),
  route('POST /submission/ladder', {
    access: 'verified',
    summary: 'Take part in the ladder, or no longer',
    body: partBody,
    response: partResponse,
    async handle({ body, context, caller }) {
      return presentPart(await context.simulation.setLadderPart({ takesPart: body.takes_part }, { caller }));
    },
  }),
];
