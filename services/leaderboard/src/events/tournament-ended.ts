import { tournamentEnded } from '@husky/contracts/events';
import type { Consumer, Messaging } from '@husky/runtime/messages/nats';
import type { Context } from '../context.ts';
import { addTournament, changeEntries } from '../store/entries.ts';

/** Adds an entry for each player of a tournament's last stage, under the tag `tournament-<slug>`. Idempotent. */
export function consumeTournamentEnded(context: Context, messaging: Messaging): Consumer {
  return messaging.consume(tournamentEnded, 'leaderboard_tournament_ended', async ({ tournamentId, slug, results }) => {
    const scores = results.map(({ userId, delta }) => ({ userId, scoreCents: 100 * Number(delta) }));
    const board = { tournamentId, tag: `tournament-${slug}`, scores };
    await changeEntries(context.pool, (client) => addTournament(client, board, context.now()));
    context.relay.kick();
  });
}
