// Writes the results of a run: a table to standard output, summary.json and junit.xml to the folder RESULTS. With PRINT_JUNIT the JUnit file
// also follows the table, for logs that outlive the folder. k6 itself writes the
// report with plots (K6_WEB_DASHBOARD_EXPORT).
import { rate, steps } from './profile.js';

const escapeXml = (text) =>
  text.replace(/[<>&"]/g, (found) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' })[found]);

/** Returns the result of each objective. Skips thresholds that always hold (objectives.js). */
function listObjectives(metrics) {
  const objectives = [];
  for (const [metric, { thresholds = {}, values }] of Object.entries(metrics)) {
    // A trend without samples has no percentiles.
    const isMeasured = values.count !== 0 || !('med' in values);
    for (const [rule, { ok }] of Object.entries(thresholds)) {
      if (rule.includes('>=0') || (isMeasured && rule === 'min>0')) continue;
      const value = isMeasured ? values[/^[^<>=]+/.exec(rule)[0]] : 'nothing measured';
      objectives.push({ metric, rule, ok, isMeasured: isMeasured || !ok, value });
    }
  }
  return objectives;
}

function formatJunit(objectives, checks) {
  const cases = objectives.map(({ metric, rule, ok, isMeasured, value }) => {
    const name = escapeXml(`${metric}: ${rule}`);
    const failure = ok ? '' : `<failure message="${escapeXml(typeof value === 'number' ? `measured ${value}` : value)}"/>`;
    return `  <testcase classname="objective" name="${name}">${isMeasured ? failure : '<skipped/>'}</testcase>`;
  });
  for (const { name, passes, fails } of checks) {
    const failure = fails === 0 ? '' : `<failure message="${fails} of ${passes + fails} failed"/>`;
    cases.push(`  <testcase classname="check" name="${escapeXml(name)}">${failure}</testcase>`);
  }
  const failed = cases.filter((text) => text.includes('<failure')).length;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="load" tests="${cases.length}" failures="${failed}">\n${cases.join('\n')}\n</testsuite>\n`;
}

const formatNumber = (value) => (value === undefined ? '-' : value.toFixed(value < 10 ? 1 : 0));

/** Returns the figures of each step of the profile. */
function summarizeSteps(metrics) {
  return steps.map(([factor, seconds], at) => {
    const valuesOf = (metric) => metrics[`${metric}{step:${at}}`]?.values ?? {};
    const requests = valuesOf('http_reqs').count ?? 0;
    return {
      targetRate: rate * factor,
      seconds,
      requestsPerSecond: requests / seconds,
      refused: valuesOf('refusals').count ?? 0,
      failed: valuesOf('failures').count ?? 0,
      medianMs: valuesOf('answer_duration').med,
      p99Ms: valuesOf('answer_duration')['p(99)'],
      refusalP99Ms: valuesOf('refusals').count > 0 ? valuesOf('refusal_duration')['p(99)'] : undefined,
      handsPerSecond: valuesOf('hands_per_second').count > 0 ? valuesOf('hands_per_second').med : undefined,
    };
  });
}

function formatTable(objectives, checks, stepFigures, metrics) {
  const lines = ['', 'target/s  accepted/s  refused  failed  median ms  p99 ms  refusal p99 ms  match hands/s'];
  for (const step of stepFigures) {
    const accepted = step.requestsPerSecond - step.refused / step.seconds;
    const counts = [step.targetRate, accepted, step.refused, step.failed].map((value) => value.toFixed(0).padStart(8));
    const times = [step.medianMs, step.p99Ms, step.refusalP99Ms, step.handsPerSecond].map((value) => formatNumber(value).padStart(9));
    lines.push([...counts, ...times].join('  '));
  }
  const dropped = metrics.dropped_iterations?.values.count ?? 0;
  if (dropped > 0) lines.push(`${dropped} iterations were not started: all virtual users were waiting (VUS)`);
  for (const { metric, rule, ok, isMeasured, value } of objectives) {
    lines.push(`${isMeasured ? (ok ? 'ok    ' : 'MISSED') : '-     '}  ${metric} ${rule}: ${value}`);
  }
  for (const { name, passes, fails } of checks.filter(({ fails }) => fails > 0)) {
    lines.push(`FAILED  ${name}: ${fails} of ${passes + fails}`);
  }
  return `${lines.join('\n')}\n`;
}

export function handleSummary({ metrics, root_group, state, setup_data }) {
  // setup has given up: k6 prints its sentence.
  if (setup_data === undefined) return {};
  const objectives = listObjectives(metrics);
  const checks = root_group.checks;
  const stepFigures = summarizeSteps(metrics);
  const results = { stdout: formatTable(objectives, checks, stepFigures, metrics) };
  const folder = __ENV.RESULTS;
  if (folder) {
    const startedMs = Date.now() - state.testRunDurationMs;
    const summary = { startedMs, durationMs: state.testRunDurationMs, steps: stepFigures, objectives, checks, metrics };
    results[`${folder}/summary.json`] = `${JSON.stringify(summary, undefined, 2)}\n`;
    results[`${folder}/junit.xml`] = formatJunit(objectives, checks);
  }
  if (__ENV.PRINT_JUNIT === 'true') results.stdout += `\n${formatJunit(objectives, checks)}`;
  return results;
}
