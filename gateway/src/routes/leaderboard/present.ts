import type { Entry__Output } from '@husky/contracts/types/leaderboard/v1/Entry';

export function presentEntry(entry: Entry__Output, nameOf: (id: string) => string) {
  return {
    id: entry.id,
    username: nameOf(entry.userId),
    score: entry.scoreCents / 100,
    tag: entry.tag,
    time_created: entry.timeCreated,
  };
}
