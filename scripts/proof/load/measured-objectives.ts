import { increaseOf, type Scrape, type Series, sumOf } from './metrics-text.ts';

/** The share of events of a run that missed an objective of docs/slo.md. */
export interface Measured {
  readonly slo: string;
  /** Share of events that may miss the objective. */
  readonly budget: number;
  readonly bad: number;
  readonly all: number;
}

type Matches = (labels: Series['labels']) => boolean;

const duration = 'http_server_duration';
/** Calls of probes are not calls of users. */
const isUser: Matches = ({ route = '' }) => !['/healthz', '/readyz', '/metrics'].includes(route);
const isRead: Matches = (labels) => ['GET', 'HEAD'].includes(labels.method ?? '') && isUser(labels);
const isWrite: Matches = ({ method = '' }) => !['GET', 'HEAD', 'OPTIONS'].includes(method);
const isQuickWrite: Matches = (labels) =>
  isWrite(labels) && !['/sim/async_run', '/submission/check', '/submission/upload'].includes(labels.route ?? '');
const isSignIn: Matches = ({ route }) => route === '/auth/login';
const isError: Matches = ({ status = '' }) => status.startsWith('5');
const isRefusal: Matches = (labels) => ['visitors', 'accounts'].includes(labels.class ?? '');

/** Evaluates the objectives of docs/slo.md over a run with the ratios of the recording rules of the chart. `scrapes`: at least two, in order. */
export function measureObjectives(scrapes: readonly Scrape[]): Measured[] {
  const [before, after] = [scrapes[0], scrapes.at(-1)];
  if (before === undefined || after === undefined) throw new RangeError('at least two scrapes are needed');
  const count = (name: string, matches?: Matches) => increaseOf(before, after, name, matches);
  /** Returns the events above a limit, which must be a bucket of the histogram. */
  const late = (name: string, limit: string, matches: Matches = () => true) =>
    count(`${name}_count`, matches) - count(`${name}_bucket`, (labels) => labels.le === limit && matches(labels));
  const refused = count('http_requests_refused_total', isRefusal) + count('http_connections_refused_total');
  const requests = (matches: Matches) => count(`${duration}_count`, matches);
  const failed = (matches: Matches) => requests((labels) => matches(labels) && isError(labels));
  const isTimelyResult: Matches = ({ le, outcome }) => le === '60000' && outcome !== 'given_up';
  const inTime = (labels: Series['labels']) => isSignIn(labels) && !isError(labels) && labels.le === '1000';
  return [
    { slo: 'reads-availability', budget: 0.001, bad: failed(isRead) + refused, all: requests(isRead) + refused },
    { slo: 'reads-latency', budget: 0.01, bad: late(duration, '250', isRead), all: requests(isRead) },
    { slo: 'writes-availability', budget: 0.001, bad: failed(isWrite), all: requests(isWrite) },
    { slo: 'writes-latency', budget: 0.01, bad: late(duration, '1000', isQuickWrite), all: requests(isQuickWrite) },
    {
      slo: 'sign-in',
      budget: 0.01,
      bad: requests(isSignIn) - count(`${duration}_bucket`, inTime),
      all: requests(isSignIn),
    },
    {
      slo: 'verdict',
      budget: 0.05,
      bad: count('husky_test_run_duration_count') - count('husky_test_run_duration_bucket', isTimelyResult),
      all: count('husky_test_run_duration_count'),
    },
    { slo: 'hands', budget: 0.005, ...countIdleScrapes(scrapes) },
    {
      slo: 'freshness',
      budget: 0.01,
      bad: late('http_streams_delay', '2000'),
      all: count('http_streams_delay_count'),
    },
  ];
}

/** Returns the objectives that a run missed: a larger share of their events than their budget. */
export const listMissed = (measured: readonly Measured[]): string[] =>
  measured.filter(({ bad, all, budget }) => all > 0 && bad / all > budget).map(({ slo }) => slo);

const idleMs = 120_000;

/** Counts the scrapes after the first two minutes, and those of them at which a runner played and had played no hand for two minutes. */
function countIdleScrapes(scrapes: readonly Scrape[]): { bad: number; all: number } {
  const isIdle = scrapes.flatMap((to) => {
    const from = scrapes.findLast(({ atMs }) => atMs <= to.atMs - idleMs);
    if (from === undefined) return [];
    const plays = sumOf(to, 'husky_pool_runners', ({ state }) => state === 'active') > 0;
    return [plays && increaseOf(from, to, 'husky_dealer_hands_total') === 0];
  });
  return { bad: isIdle.filter(Boolean).length, all: isIdle.length };
}

const formatPercent = (share: number): string => `${Number((100 * share).toFixed(3))} %`;

const describeMeasured = ({ bad, all }: Measured): string =>
  all === 0 ? 'no events' : `${formatPercent(1 - bad / all)} of ${all}`;

const describeBudget = ({ bad, all, budget }: Measured): string =>
  all === 0 ? '' : `${((100 * bad) / all / budget).toFixed(0)} %`;

/** Returns a Markdown table: objective, target, share measured, and the part of the budget that this share would use if it lasted for the whole period. */
export function reportObjectives(measured: readonly Measured[]): string {
  const rows = measured.map(
    (one) =>
      `| \`${one.slo}\` | ${formatPercent(1 - one.budget)} | ${describeMeasured(one)} | ${describeBudget(one)} |`,
  );
  return ['| `slo` | target | measured | part of the budget |', '|---|---|---|---|', ...rows].join('\n');
}
