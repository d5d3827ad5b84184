import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Badge } from '../../components/badge.tsx';
import { FaultSentence } from '../../doctor/fault-sentence.tsx';
import { RunAgainButton } from '../../doctor/run-again-button.tsx';
import { useAppConfig } from '../../lib/app-config.ts';
import { botReportPath } from '../../lib/matches.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { Submission } from '../../lib/types.ts';

type Props = { submission: Submission; username: string };

/** Shows how the test run of a submission ended, or where it is. */
export function OutcomeBadge({ submission: { test_run: outcome, last_test_run: run }, username }: Props) {
  switch (outcome) {
    case 'waiting':
      return <Badge color="yellow">Test run waits{run?.queue_position ? `, number ${run.queue_position}` : ''}</Badge>;
    case 'running':
      return (
        <Badge color="cyan">
          Test run: {run?.hands_done} of {run?.num_rounds} hands
        </Badge>
      );
    case 'passed':
    case 'failed':
      return (
        <Link to={botReportPath(run?.job_id ?? '', username)}>
          {outcome === 'passed' ? (
            <Badge color="green">Test run passed</Badge>
          ) : (
            <Badge color="red">Failed its test run</Badge>
          )}
        </Link>
      );
    case 'none':
      return <Badge color="grey">Not tested</Badge>;
    default:
      return null;
  }
}

/** Shows why the test run of a submission failed, with the line, or offers one if it has none. Renders nothing otherwise. */
export function OutcomeDetails({ submission, username }: Props) {
  const client = useQueryClient();
  const { frozen } = useAppConfig();
  const { id, state, test_run: outcome, last_test_run: run } = submission;
  if (outcome === 'failed' && run) {
    if (!run.bot_faults) return <p className="breakable">The test run {run.faults}</p>;
    return <FaultSentence jobId={run.job_id} username={username} faults={run.bot_faults} />;
  }
  if (outcome !== 'none' || state !== 'ready' || frozen) return null;
  const reload = () => client.invalidateQueries({ queryKey: queryKeys.submissions });
  return <RunAgainButton of={{ submission_id: id }} label="Test it now" onStarted={() => void reload()} />;
}

/** Returns what speaks against marking a submission as final; '' if its test run has passed. */
export function doubtOf({ test_run: outcome, last_test_run: run }: Submission): string {
  if (outcome === 'passed' || outcome === undefined) return '';
  if (outcome === 'failed') {
    const who = run?.bot_faults ? 'your bot' : 'the match';
    return `In the last test run of exactly these files ${who} ${run?.faults}. In the tournament it would lose the same way.`;
  }
  const missing =
    outcome === 'none' ? 'These files have not been tested' : 'The test run of these files has not ended yet';
  return `${missing}, so nobody knows whether your bot plays.`;
}
