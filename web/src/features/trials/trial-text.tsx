import { useQuery } from '@tanstack/react-query';
import { Badge, type BadgeColor } from '../../components/badge.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { TrialSummary } from '../../lib/types.ts';

export type NameOf = (submissionId: string) => string;

export const useSubmissions = () =>
  useQuery({ queryKey: queryKeys.submissions, queryFn: ({ signal }) => api.get('/submission/list', { signal }) });

/** Names a submission as the page of submissions does. */
export function useSubmissionNames(): NameOf {
  const { data } = useSubmissions();
  return (id) => {
    const index = data?.files.findIndex((one) => one.id === id) ?? -1;
    return index < 0 ? 'another submission' : `Submission ${index + 1}`;
  };
}

const VERDICTS: Record<NonNullable<TrialSummary['verdict']>, [BadgeColor, string]> = {
  better: ['green', 'Better'],
  worse: ['red', 'Worse'],
  no_difference: ['cyan', 'No difference'],
  undecided: ['yellow', 'Undecided'],
};
const STATES: Record<string, [BadgeColor, string]> = {
  playing: ['accent', 'Plays'],
  cancelled: ['grey', 'Cancelled'],
  failed: ['red', 'Failed'],
};

export function TrialBadge({ trial: { state, verdict } }: { trial: Pick<TrialSummary, 'state' | 'verdict'> }) {
  const [color, text] = (verdict === null ? STATES[state] : VERDICTS[verdict]) ?? ['grey', state];
  return <Badge color={color}>{text}</Badge>;
}

export const bigBlinds = (value: number | null): string =>
  value === null ? '?' : `${value > 0 ? '+' : ''}${value.toFixed(1)}`;

type Look = Pick<TrialSummary, 'estimate' | 'low' | 'high'>;

export function estimateText({ estimate, low, high }: Look): string {
  if (estimate === null) return 'none yet';
  // The first sets exclude nothing.
  const interval = low === null && high === null ? '' : ` (${bigBlinds(low)} to ${bigBlinds(high)})`;
  return `${bigBlinds(estimate)}${interval}`;
}

/** Returns the verdict in one sentence. `a`: the version that was tried, `b`: the other. */
export function verdictText(trial: TrialSummary, a: string, b: string): string {
  const { verdict, state, hands, margin, problem } = trial;
  const found = `${estimateText(trial)} big blinds per 100 hands after ${formatNumber(hands)} hands`;
  if (state === 'failed') return `The trial failed. ${problem ?? ''}`;
  if (state === 'cancelled') return `You cancelled this trial: ${found}.`;
  switch (verdict) {
    case 'better':
      return `A (${a}) is better than B (${b}): ${found}.`;
    case 'worse':
      return `A (${a}) is worse than B (${b}): ${found}.`;
    case 'no_difference':
      return `A (${a}) and B (${b}) do not differ by ${margin} big blinds per 100 hands: ${found}.`;
    case 'undecided':
      return `Undecided: ${found}. A larger budget or margin can decide.`;
    default:
      return problem ?? (hands === 0 ? 'The first deal sets are played.' : `Not decided yet: ${found}.`);
  }
}
