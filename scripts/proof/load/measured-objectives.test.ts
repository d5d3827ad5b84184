import { expect, test } from 'vitest';
import { listMissed, measureObjectives, reportObjectives } from './measured-objectives.ts';
import { increaseOf, parseMetrics, type Scrape } from './metrics-text.ts';

const at = (atMs: number, text: string): Scrape => ({
  atMs,
  series: new Map([['http://a/metrics', parseMetrics(text)]]),
});
const find = (scrapes: readonly Scrape[], slo: string) => measureObjectives(scrapes).find((one) => one.slo === slo);

test('parses labels with commas, braces and escaped characters', () => {
  expect(parseMetrics('# TYPE a counter\na_total{route="/job/{id}",text="x,\\"y\\"\\n"} 1.5e3 99\nb 2\n')).toEqual([
    { name: 'a_total', labels: { route: '/job/{id}', text: 'x,"y"\n' }, value: 1500 },
    { name: 'b', labels: {}, value: 2 },
  ]);
});

test('counts a series that is new or was reset from zero', () => {
  const [before, after] = [at(0, 'a{x="1"} 10\na{x="2"} 5'), at(1, 'a{x="1"} 12\na{x="2"} 3\na{x="3"} 4')];
  expect(increaseOf(before, after, 'a')).toBe(2 + 3 + 4);
  expect(increaseOf(before, after, 'a', ({ x }) => x === '3')).toBe(4);
});

const requests = (method: string, route: string, status: number, count: number, inTime: number) =>
  `http_server_duration_count{method="${method}",route="${route}",status="${status}"} ${count}
http_server_duration_bucket{method="${method}",route="${route}",status="${status}",le="250"} ${inTime}
http_server_duration_bucket{method="${method}",route="${route}",status="${status}",le="1000"} ${inTime}
`;

test('counts refusals and 5xx as unavailable reads, and leaves out probes', () => {
  const text =
    requests('GET', '/live/now', 200, 996, 990) +
    requests('GET', '/live/now', 503, 2, 2) +
    requests('GET', '/readyz', 503, 500, 0) +
    'http_requests_refused_total{class="visitors"} 2\nhttp_requests_refused_total{class="runners"} 7\n';
  const scrapes = [at(0, ''), at(1, text)];
  expect(find(scrapes, 'reads-availability')).toMatchObject({ bad: 4, all: 1000 });
  expect(find(scrapes, 'reads-latency')).toMatchObject({ bad: 6, all: 998 });
});

test('leaves uploads out of the latency of writes, and counts a failed sign-in as bad', () => {
  const text =
    requests('POST', '/submission/upload', 200, 10, 0) +
    requests('POST', '/auth/login', 200, 10, 9) +
    requests('POST', '/auth/login', 500, 1, 1);
  const scrapes = [at(0, ''), at(1, text)];
  expect(find(scrapes, 'writes-latency')).toMatchObject({ bad: 1, all: 11 });
  expect(find(scrapes, 'writes-availability')).toMatchObject({ bad: 1, all: 21 });
  expect(find(scrapes, 'sign-in')).toMatchObject({ bad: 2, all: 11 });
});

test('counts a time at which a runner plays, without a hand for two minutes', () => {
  const scrapeAt = (second: number, active: number, hands: number) =>
    at(second * 1000, `husky_pool_runners{state="active"} ${active}\nhusky_dealer_hands_total ${hands}\n`);
  const scrapes = [scrapeAt(0, 0, 1), scrapeAt(60, 1, 9), scrapeAt(120, 1, 9)];
  expect(find(scrapes, 'hands')).toMatchObject({ bad: 0, all: 1 });
  const idle = [...scrapes, scrapeAt(180, 1, 9)];
  expect(find(idle, 'hands')).toMatchObject({ bad: 1, all: 2 });
  expect(find([...idle, scrapeAt(240, 0, 9)], 'hands')).toMatchObject({ bad: 1, all: 3 });
});

test('prints target, measured share and part of the budget of the eight objectives', () => {
  const text = requests('GET', '/live/now', 200, 1000, 995);
  const lines = reportObjectives(measureObjectives([at(0, ''), at(1, text)])).split('\n');
  expect(lines).toHaveLength(10);
  expect(lines).toContain('| `reads-latency` | 99 % | 99.5 % of 1000 | 50 % |');
  expect(lines).toContain('| `verdict` | 95 % | no events |  |');
});

test('lists the objectives of which a run missed more than the budget; test runs that were given up have no result', () => {
  const runs = (outcome: string, count: number) =>
    `husky_test_run_duration_count{outcome="${outcome}"} ${count}\nhusky_test_run_duration_bucket{outcome="${outcome}",le="60000"} ${count}\n`;
  const text = requests('GET', '/live/now', 200, 1000, 995) + runs('result', 94) + runs('given_up', 6);
  const measured = measureObjectives([at(0, ''), at(1, text)]);
  expect(measured.find(({ slo }) => slo === 'verdict')).toMatchObject({ bad: 6, all: 100 });
  expect(listMissed(measured)).toEqual(['verdict']);
});
