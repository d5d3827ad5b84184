/** Returns the recorded ratios of the objectives in a rendering of the chart, for a window of 5 minutes, as text for docs/slo.md. */
export function objectiveQueries(rendering: string): string {
  const rules = rendering.matchAll(
    /- record: husky_slo_errors:ratio\n +expr: '(.+)'\n +labels: \{slo: ([\w-]+), window: 5m,/g,
  );
  return [...rules].map(([, query = '', slo = '']) => `# ${slo}\n${query.replace(') / (', ')\n  / (')}`).join('\n');
}
