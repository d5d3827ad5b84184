import { useEffect } from 'react';
import { Broadcast, type BroadcastProps } from './broadcast.tsx';
import type { LiveJob } from './live-merge.ts';
import { useLiveJob } from './use-live-job.ts';
import { useStoredJob } from './use-stored-job.ts';

type Props = Pick<BroadcastProps, 'kind' | 'title' | 'note' | 'onEnd'> & {
  jobId: string;
  /** Whether the match is in play; otherwise it is read as a stored one. */
  running: boolean;
  /** Called with what is known of the match. */
  onJob?: (job: LiveJob) => void;
};

/** Shows a match of which only the id is known. */
export function MatchBroadcast({ jobId, running, onJob, ...rest }: Props) {
  const live = useLiveJob(jobId, running ? 'Running' : null);
  const stored = useStoredJob(jobId, !running);
  const view = running ? live : stored.view;
  useEffect(() => onJob?.(view.job), [onJob, view.job]);
  return <Broadcast turn={jobId} view={view} swings={stored.swings} {...rest} />;
}
