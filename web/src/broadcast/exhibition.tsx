import { Broadcast, type BroadcastProps } from './broadcast.tsx';
import bundle from './exhibition.json' with { type: 'json' };
import { storedJob } from './use-stored-job.ts';

const STARTING_STACK = 10_000;
const NO_SWINGS: ReadonlyMap<number, number> = new Map();
const JOB_ID = '00000000-0000-8000-8000-000000000000';
const ACTIONS: Record<string, string> = { F: 'FOLD', K: 'CHECK', C: 'CALL', R: 'RAISE', A: 'ALL IN' };

/**
 * Expands a bundled hand to a log: button, blinds' seats and amounts | stacks by seat | cards by seat | board | actions, one text for each
 * street, such as `0R280` for a raise of seat 0.
 */
function logOf(text: string, final: readonly number[]) {
  const [table = '', stacks = '', cards = '', board = '', streets = ''] = text.split('|');
  const [button, small, big, smallBlind, bigBlind] = table
    .split(' ')
    .map((part) => (part === '-' ? null : Number(part)));
  const byId = <T,>(values: readonly T[]) => Object.fromEntries(values.map((value, seat) => [seat + 1, value]));
  const actionOf = (action: string) => ({
    player: Number(action[0]),
    action: ACTIONS[action[1] ?? ''] ?? '',
    amount: Number(action.slice(2)),
  });
  return {
    rounds: Object.fromEntries(
      streets
        .split('/')
        .map((street, round) => [round, { action_sequence: street.split(' ').filter(Boolean).map(actionOf) }]),
    ),
    playerNames: Object.fromEntries(bundle.players.entries()),
    blinds: { small: smallBlind, big: bigBlind },
    finalBoard: board.split(' ').filter(Boolean),
    playerMoney: { startingMoney: byId(stacks.split(' ').map(Number)), finalMoney: byId(final) },
    playerHands: byId(cards.split(' ').map((held) => held.match(/../g) ?? [])),
    button,
    smallBlindSeat: small,
    bigBlindSeat: big,
  };
}

const stacksAfter = bundle.hands.map(
  (_, index) => bundle.hands[index + 1]?.split('|')[1]?.split(' ').map(Number) ?? bundle.final,
);
/** Logs of the bundled match: 20 hands of the house bots with fast-growing blinds, until one of them has all chips. */
export const exhibitionLogs = bundle.hands.map((text, index) => logOf(text, stacksAfter[index] ?? []));

/** The bundled match as a stored one. */
export const exhibitionJob = storedJob(
  {
    job_id: JOB_ID,
    players: bundle.players,
    pots: bundle.hands.map(() => 0),
    flags: bundle.hands.map((text) => (/\dA\d/.test(text) ? 8 : 0) + (text.split('/').length > 3 ? 4 : 0)),
    winners: [],
    faults: [],
    attempt: 1,
    starting_stack: STARTING_STACK,
    stacks: 'carry',
  },
  Object.fromEntries(
    bundle.players.map((name, seat) => [name, stacksAfter.map((stacks) => (stacks[seat] ?? 0) - STARTING_STACK)]),
  ),
);

const logOfHand = (gameId: string) => exhibitionLogs[exhibitionJob.hands.findIndex(({ game_id: id }) => id === gameId)];
const view = { job: exhibitionJob, state: 'ended', refusal: null } as const;

/** Shows the bundled match, for a platform without a public one. */
export function Exhibition(props: Pick<BroadcastProps, 'kind' | 'title' | 'onEnd'>) {
  return (
    <Broadcast
      turn={JOB_ID}
      view={view}
      swings={NO_SWINGS}
      bundled={logOfHand}
      note="Exhibition: the house bots play until the first public match."
      {...props}
    />
  );
}
