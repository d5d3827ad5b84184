/** Id of the house account, the opponent in test runs. auth's first migration creates its row; nobody can sign in to it. */
export const houseUserId = '00000000-0000-8000-8000-000000000001';

/** Example bots (folders of services/runner/bots) that fill the tables of the ladder, by the ids of their accounts. auth's migrations create their rows. */
export const housePlayers: ReadonlyMap<string, string> = new Map(
  ['tight-aggressive', 'pot-odds', 'position-aware', 'pressure', 'calling-station', 'random-legal'].map(
    (style, index) => [`00000000-0000-8000-8000-00000000001${index}`, style],
  ),
);

/** Returns whether an account belongs to a bot of the platform. */
export const isHouseUser = (id: string): boolean => id === houseUserId || housePlayers.has(id);
