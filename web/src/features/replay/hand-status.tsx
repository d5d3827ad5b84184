import { ErrorBox } from '../../components/error-box.tsx';
import { Loading } from '../../components/spinner.tsx';
import { isApiError } from '../../lib/api-error.ts';
import { replayErrorText, type useHand } from './use-hand.ts';

/** Shows that a hand is loading or why it could not be loaded. */
export function HandStatus({ hand }: { hand: ReturnType<typeof useHand> }) {
  if (hand.isPending) return <Loading text="Loading hand..." />;
  if (!hand.isError) return null;
  const final = isApiError(hand.error, 403, 404);
  return <ErrorBox text={replayErrorText(hand.error)} {...(final ? {} : { onRetry: () => void hand.refetch() })} />;
}
