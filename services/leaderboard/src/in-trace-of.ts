import { contextOf, currentTraceparent, inSpan, linkTo } from '@husky/runtime/telemetry/trace-context';

/**
 * Runs `work`, which adds results to the leaderboard, in a span of the trace that produced the results. Links this span and
 * the span of the admin's request to each other. `traceparent`: the trace of the job or batch; empty: the current one.
 */
export function inTraceOf<T>(
  traceparent: string,
  attributes: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  const name = 'add to leaderboard';
  if (traceparent === '') return inSpan(name, { attributes }, work);
  const links = [currentTraceparent()];
  linkTo(traceparent);
  return inSpan(name, { parent: contextOf(traceparent), attributes, links }, work);
}
