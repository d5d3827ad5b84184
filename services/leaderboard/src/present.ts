import type { Entry as EntryMessage } from '@husky/contracts/types/leaderboard/v1/Entry';
import type { Entry } from './generated/client.ts';

export function presentEntry(entry: Entry): EntryMessage {
  return {
    id: entry.id,
    userId: entry.userId,
    scoreCents: Number(entry.scoreCents),
    tag: entry.tag,
    timeCreated: entry.createdAt.toISOString(),
  };
}
