import { housePlayers, houseUserId } from '@husky/contracts/house-user';
import type { TrialField } from '@husky/contracts/trials';
import type { Context } from '../context.ts';
import { type SeatPlan, seatPlan, tableSize } from '../domain/job.ts';
import { pinFinalsLeft } from '../pins.ts';

const opponents = tableSize - 1;
/** Example bots of the field of house bots, beside the house bot: those that `husky trial` has. */
const styles: readonly string[] = ['calling-station', 'position-aware', 'pressure', 'tight-aggressive'];

/** Pins the opponents of a trial for its holder: the owner's neighbours on the ladder, which house bots fill up to five, or house bots. */
export async function pinField(
  context: Context,
  holderId: string,
  field: TrialField,
  ownerId: string,
): Promise<SeatPlan[]> {
  const neighbours = field === 'neighbours' ? await pinNeighbours(context, holderId, ownerId) : [];
  const ids = [houseUserId, ...[...housePlayers].flatMap(([id, style]) => (styles.includes(style) ? [id] : []))];
  const house = ids.slice(0, opponents - neighbours.length).map(async (id) => {
    const userId = id === houseUserId ? '' : id;
    return seatPlan(await context.submission.pinHouse({ holderId, userId }));
  });
  return [...neighbours, ...(await Promise.all(house))];
}

async function pinNeighbours(context: Context, holderId: string, ownerId: string): Promise<SeatPlan[]> {
  const { versions, ratings } = await context.ladder.read();
  const rated = new Map(ratings.map(({ player, rating }) => [player, rating]));
  const ratingOf = ({ id = '' }: { readonly id?: string } = {}) => rated.get(id) ?? 0;
  const own = ratingOf(versions.find(({ userId }) => userId === ownerId));
  const near = versions
    .filter(({ userId, house, pausedAt }) => userId !== ownerId && !house && pausedAt === null)
    .sort((x, y) => Math.abs(ratingOf(x) - own) - Math.abs(ratingOf(y) - own) || (x.id < y.id ? -1 : 1))
    .map(({ userId }) => userId);
  return pinFinalsLeft(context, holderId, near.slice(0, opponents));
}
