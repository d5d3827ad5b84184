import { DomainError } from '@husky/runtime/rpc/errors';

export const tournamentStates = ['open', 'frozen', 'running', 'paused', 'finished', 'cancelled'] as const;
export type TournamentState = (typeof tournamentStates)[number];

interface Facts {
  readonly state: TournamentState;
  readonly entryDeadline: Date;
  readonly startedAt: Date | null;
  readonly ceremony: boolean;
  readonly revealed: number;
}
interface Change {
  readonly state: TournamentState;
  readonly startsAt?: Date;
  readonly revealed?: number;
}

interface Ceremony {
  /** Of the last stage, once it has ended. */
  readonly players: number;
  /** How many places the admin has seen revealed; undefined: unknown. */
  readonly seen: number | undefined;
}

const refusal = (message: string) => new DomainError('FAILED_PRECONDITION', 'tournament-state', message);

/**
 * Returns what an action of an admin changes, and the verb of its audit record. `decide` throws FAILED_PRECONDITION when the state does not permit it.
 */
export function actionOf(
  action: string,
  now: number,
  ceremony: Ceremony,
): { verb: string; decide: (tournament: Facts) => Change } {
  const { [action]: found } = actions;
  if (!found) throw new DomainError('INVALID_ARGUMENT', 'tournament-action', 'There is no such action.');
  return { verb: found.verb, decide: (tournament) => found.decide(tournament, now, ceremony) };
}

const ended = ({ state }: Facts) => state === 'finished' || state === 'cancelled';
const isOver = ({ state }: Facts) => refusal(`This tournament is ${state}.`);

const actions: Readonly<
  Record<string, { verb: string; decide: (tournament: Facts, now: number, ceremony: Ceremony) => Change }>
> = {
  start: {
    verb: 'start_requested',
    decide(tournament, now) {
      const { state, entryDeadline } = tournament;
      if (ended(tournament)) throw isOver(tournament);
      if (state === 'open') {
        throw refusal(
          `Entries are open until ${entryDeadline.toISOString()}: it can start after that, and does by itself.`,
        );
      }
      if (state === 'paused') throw refusal('This tournament is paused. Continue it.');
      if (state === 'running') throw refusal('This tournament is being played already.');
      return { state, startsAt: new Date(now) };
    },
  },
  pause: {
    verb: 'paused',
    decide(tournament) {
      if (ended(tournament)) throw isOver(tournament);
      if (tournament.state === 'paused') throw refusal('This tournament is paused already.');
      if (tournament.state === 'open')
        throw refusal('Nothing is played before the entry deadline. Change the deadline instead.');
      return { state: 'paused' };
    },
  },
  resume: {
    verb: 'resumed',
    decide(tournament) {
      if (ended(tournament)) throw isOver(tournament);
      if (tournament.state !== 'paused') throw refusal('This tournament is not paused.');
      return { state: tournament.startedAt === null ? 'frozen' : 'running' };
    },
  },
  cancel: {
    verb: 'cancelled',
    decide(tournament) {
      if (ended(tournament)) throw isOver(tournament);
      return { state: 'cancelled' };
    },
  },
  reveal: {
    verb: 'revealed',
    decide(tournament, _, { players, seen }) {
      const { state, ceremony, revealed } = tournament;
      if (!ceremony) throw refusal('This tournament has no ceremony: its results are public.');
      if (state !== 'finished') throw refusal('Places are revealed after the last stage.');
      if (seen !== undefined && seen !== revealed) {
        throw new DomainError(
          'ABORTED',
          'revealed-meanwhile',
          'Somebody else has revealed this place. Look at it first.',
        );
      }
      if (revealed >= players) throw refusal('All places are revealed.');
      return { state, revealed: revealed + 1 };
    },
  },
};
