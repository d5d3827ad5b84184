import { isApiError } from '../../lib/api-error.ts';

/** The catalogue's text for a hand that could not be loaded. */
export function replayErrorText(error: unknown): string {
  if (isApiError(error, 403)) return 'This game is private and cannot be accessed.';
  if (isApiError(error, 404)) return 'Game not found.';
  return 'Failed to load game data.';
}
