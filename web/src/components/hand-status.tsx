import { useQuery } from '@tanstack/react-query';
import { api } from '../lib/api.ts';
import { isApiError } from '../lib/api-error.ts';
import { queryKeys } from '../lib/query-keys.ts';
import { ErrorBox, Loading } from './feedback.tsx';

/** Loads the log of a hand. A finished hand never changes, so that it is not fetched again. */
export function useHand(gameId: string) {
  return useQuery({
    queryKey: queryKeys.game(gameId),
    queryFn: ({ signal }) => api.get('/live/game/{id}', { params: { id: gameId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Returns the error text for a hand that could not be loaded. */
export function replayErrorText(error: unknown): string {
  if (isApiError(error, 403)) return 'This game is private and cannot be accessed.';
  if (isApiError(error, 404)) return 'Game not found.';
  return 'Failed to load game data.';
}

/** Shows that a hand is loading or why it could not be loaded. */
export function HandStatus({ hand }: { hand: ReturnType<typeof useHand> }) {
  if (hand.isPending) return <Loading text="Loading hand..." />;
  if (!hand.isError) return null;
  const final = isApiError(hand.error, 403, 404);
  return <ErrorBox text={replayErrorText(hand.error)} {...(final ? {} : { onRetry: () => void hand.refetch() })} />;
}
