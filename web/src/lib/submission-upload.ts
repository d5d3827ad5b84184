import { useQueryClient } from '@tanstack/react-query';
import { toast } from '../components/toasts.tsx';
import { api } from './api.ts';
import { drawNonce, keepNonce } from './bot-files.ts';
import { queryKeys } from './query-keys.ts';

/** Returns a function that uploads a submission with a nonce of this browser. */
export function useSubmissionUpload() {
  const client = useQueryClient();
  return async (player: File, requirements: File) => {
    const form = new FormData();
    form.set('playerFile', player);
    form.set('requirementsFile', requirements);
    const nonce = drawNonce();
    const stored = await api.post('/submission/upload', { body: form, query: { nonce } });
    await keepNonce(nonce, player, requirements);
    toast.success(
      stored.state === 'preparing'
        ? 'Submission stored. Its packages are still being prepared.'
        : 'Submission stored. Its test run starts by itself.',
    );
    await client.invalidateQueries({ queryKey: queryKeys.submissions });
    return stored;
  };
}
