// Writes the results of a run: a table on standard output, and in RESULTS summary.json and junit.xml. The report with
// plots is k6's own (K6_WEB_DASHBOARD_EXPORT).
import { rate, steps } from './profile.js';

const escaped = (text) =>
  text.replace(/[<>&"]/g, (found) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' })[found]);

/** Returns every threshold with whether it held, except those that only keep figures. */
function verdicts(metrics) {
  const found = [];
  for (const [metric, { thresholds = {}, values }] of Object.entries(metrics)) {
    for (const [rule, { ok }] of Object.entries(thresholds)) {
      if (rule.includes('>=0')) continue;
      const figure = values[/^[^<>=]+/.exec(rule)[0]];
      // A trend without samples has no figure.
      const value = values.count === 0 && rule.startsWith('p(') ? 'nothing measured' : figure;
      found.push({ metric, rule, ok, value });
    }
  }
  return found;
}

function junit(found, checks) {
  const cases = found.map(({ metric, rule, ok, value }) => {
    const name = escaped(`${metric}: ${rule}`);
    const failure = ok ? '' : `<failure message="measured ${escaped(String(value))}"/>`;
    return `  <testcase classname="objective" name="${name}">${failure}</testcase>`;
  });
  for (const { name, passes, fails } of checks) {
    const failure = fails === 0 ? '' : `<failure message="${fails} of ${passes + fails} failed"/>`;
    cases.push(`  <testcase classname="check" name="${escaped(name)}">${failure}</testcase>`);
  }
  const failed = cases.filter((text) => text.includes('<failure')).length;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="load" tests="${cases.length}" failures="${failed}">\n${cases.join('\n')}\n</testsuite>\n`;
}

const ms = (value) => (value === undefined ? '-' : value.toFixed(value < 10 ? 1 : 0));

export function figuresOfSteps(metrics) {
  return steps.map(([factor, seconds], at) => {
    const of = (metric) => metrics[`${metric}{step:${at}}`]?.values ?? {};
    const requests = of('http_reqs').count ?? 0;
    return {
      asked: rate * factor,
      seconds,
      requestsPerSecond: requests / seconds,
      refused: of('refusals').count ?? 0,
      failed: of('failures').count ?? 0,
      medianMs: of('answer_duration').med,
      p99Ms: of('answer_duration')['p(99)'],
      refusalP99Ms: of('refusals').count > 0 ? of('refusal_duration')['p(99)'] : undefined,
      handsPerSecond: of('hands_per_second').count > 0 ? of('hands_per_second').med : undefined,
    };
  });
}

function table(found, checks, figures, metrics) {
  const lines = ['', 'asked/s  answered/s  refused  failed  median ms  p99 ms  refusal p99 ms  match hands/s'];
  for (const step of figures) {
    const answered = step.requestsPerSecond - step.refused / step.seconds;
    const cells = [step.asked, answered, step.refused, step.failed].map((value) => value.toFixed(0).padStart(8));
    const times = [step.medianMs, step.p99Ms, step.refusalP99Ms, step.handsPerSecond].map((value) => ms(value).padStart(9));
    lines.push([...cells, ...times].join('  '));
  }
  const dropped = metrics.dropped_iterations?.values.count ?? 0;
  if (dropped > 0) lines.push(`${dropped} iterations were not started: all virtual users were waiting (VUS)`);
  for (const { metric, rule, ok, value } of found) lines.push(`${ok ? 'ok    ' : 'MISSED'}  ${metric} ${rule}: ${value}`);
  for (const { name, passes, fails } of checks.filter(({ fails }) => fails > 0)) {
    lines.push(`FAILED  ${name}: ${fails} of ${passes + fails}`);
  }
  return `${lines.join('\n')}\n`;
}

export function handleSummary({ metrics, root_group, state }) {
  const found = verdicts(metrics);
  const checks = root_group.checks;
  const figures = figuresOfSteps(metrics);
  const results = { stdout: table(found, checks, figures, metrics) };
  const folder = __ENV.RESULTS;
  if (folder) {
    const startedMs = Date.now() - state.testRunDurationMs;
    const whole = { startedMs, durationMs: state.testRunDurationMs, steps: figures, objectives: found, checks, metrics };
    results[`${folder}/summary.json`] = `${JSON.stringify(whole, undefined, 2)}\n`;
    results[`${folder}/junit.xml`] = junit(found, checks);
  }
  return results;
}
