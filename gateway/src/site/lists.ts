import type { MatchItem__Output } from '@husky/contracts/types/live/v1/MatchItem';
import { readBatchNumbers } from '../batch-numbers.ts';
import { findPage } from './pages.ts';
import { generalScene } from './pictures/scenes.ts';
import { asVisitor, type Link, matchSentence, matchTitle, type Reader, type Subject } from './subjects.ts';
import { formatChange, formatCount } from './words.ts';

const rowsListed = 20;

/** Returns the board of the home page. */
export async function readBoard(context: Reader, pageSize: number) {
  const preferredTag = (await context.eventSettings.current())?.homeBoard ?? '';
  return context.leaderboard.getBoard({ tag: '', preferredTag, page: 1, pageSize }, asVisitor);
}

/** Lists the newest public matches, each with its result. */
export async function listResults(
  context: Reader,
  filter: { readonly batchId?: string; readonly playerId?: string },
  pageSize = rowsListed,
): Promise<{ readonly links: readonly Link[]; readonly total: number }> {
  const request = { publicOnly: true, order: 'newest', page: 1, pageSize, ...filter };
  const { matches, total } = await context.liveData.listMatches(request, asVisitor);
  const [nameOf, numbers] = await Promise.all([
    context.names.of(matches.flatMap(({ playerIds }) => playerIds)),
    readBatchNumbers(matches, context),
  ]);
  const linkOf = (match: MatchItem__Output) => ({
    href: `/games/${match.jobId}`,
    text: `${matchTitle(match.jobId, match.gameNumber, numbers.get(match.batchId))}: ${matchSentence(match, nameOf)}`,
  });
  return { links: matches.map(linkOf), total };
}

/** Reads the ranking and the newest results, for the home page. */
export async function readHome(context: Reader): Promise<Subject> {
  const [board, { links }] = await Promise.all([readBoard(context, rowsListed), listResults(context, {}, 5)]);
  const nameOf = await context.names.of(board.rows.map(({ userId }) => userId));
  const rows = board.rows.map(({ userId, scoreCents, rank }) => ({
    rank,
    name: nameOf(userId),
    delta: scoreCents / 100,
    highlighted: false,
  }));
  const [first] = rows;
  const leader =
    first === undefined
      ? ''
      : `${first.name} leads the ranking of ${formatCount(board.total, 'player')} with ${formatChange(first.delta)}. `;
  const description = `${leader}${findPage('/')?.page.description ?? ''}`;
  // An empty board is drawn as the site itself.
  const scene = first === undefined ? generalScene : { heading: 'Ranking', sentence: leader, rows };
  return { title: 'Ranking', description, scene, links };
}

/** Reads the newest results, for the list of matches. */
export async function readGames(context: Reader): Promise<Subject> {
  const { links, total } = await listResults(context, {}, 50);
  const newest = links[0] === undefined ? '' : ` The newest: ${links[0].text}.`;
  const description = `${formatCount(total, 'public match', 'public matches')} with graphs and replays of every hand.${newest}`;
  return { title: 'Games', description, scene: generalScene, links };
}
