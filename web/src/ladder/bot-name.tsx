import { Link } from 'react-router';
import { Name } from '../components/name.tsx';
import { playerPath } from '../lib/matches.ts';
import type { LadderEntry } from '../lib/types.ts';

/** Shows the name of a bot on the ladder, with a link to its player unless it is of the house. */
export function BotName({ username, house }: Pick<LadderEntry, 'username' | 'house'>) {
  const name = <Name name={username} />;
  return house ? name : <Link to={playerPath(username)}>{name}</Link>;
}
