import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../components/button.tsx';
import { FreezeNote } from '../components/feedback.tsx';
import { toast } from '../components/toasts.tsx';
import { api } from '../lib/api.ts';
import { isApiError, messageOf } from '../lib/api-error.ts';
import { useAppConfig } from '../lib/app-config.ts';
import { SUBMIT_COOLDOWN_S, TEST_RUN_COOLDOWN, useCooldown } from '../lib/cooldown.ts';
import { queryKeys } from '../lib/query-keys.ts';

type Props = {
  /** A match of the user's bot, or a submission of the user. */
  of: { job_id: string } | { submission_id: string };
  label?: string;
  onStarted: (jobId: string) => void;
};

/** Starts a test run of files that the user has uploaded or tested before. */
export function RunAgainButton({ of: body, label = 'Run again with the same files', onStarted }: Props) {
  const client = useQueryClient();
  const { frozen } = useAppConfig();
  const cooldown = useCooldown(TEST_RUN_COOLDOWN, SUBMIT_COOLDOWN_S);
  const run = useMutation({
    mutationFn: () => api.post('/sim/run_again', { body }),
    onSuccess: (started) => {
      cooldown.start();
      toast.success('Test run queued. It appears under My Jobs.');
      void client.invalidateQueries({ queryKey: queryKeys.ownJobs });
      onStarted(started.job_id);
    },
    onError: (error) => {
      if (isApiError(error, 429)) cooldown.start(error.retryAfter);
      toast.error(`The test run did not start. ${messageOf(error)}`);
    },
  });
  const waiting = cooldown.left > 0;
  return (
    <>
      <Button
        small
        variant="secondary"
        disabled={run.isPending || waiting || frozen === true}
        onClick={() => run.mutate()}
      >
        {waiting ? `Wait ${cooldown.left}s` : label}
      </Button>
      <FreezeNote />
    </>
  );
}
