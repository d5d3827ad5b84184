import type { ReceivedSpan } from './otlp.ts';

/** Spans of one service with the same name and parent row, which share a row of the picture. */
interface Row {
  readonly service: string;
  readonly name: string;
  readonly depth: number;
  readonly spans: readonly ReceivedSpan[];
}

const colors: Readonly<Record<string, string>> = {
  client: '#555',
  gateway: '#3b6ea5',
  auth: '#8a6fb0',
  submission: '#5f8f5a',
  simulation: '#b8652b',
  runner: '#a03a50',
  'live-data': '#2f8f8b',
  leaderboard: '#8a7a1f',
};
const labelWidth = 490;
const timeWidth = 790;
const rowHeight = 19;
const top = 58;
const ticks = 8;

/** Draws a trace as SVG: a row for each kind of span below its parent's row, with a bar for each span. Throws if there are no spans. */
export function drawTrace(spans: readonly ReceivedSpan[], title: string): string {
  if (spans.length === 0) throw new Error('the trace has no spans');
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const roots = spans.filter(({ parentId }) => !ids.has(parentId));
  const rows = groupRows(spans, roots, 0);
  const start = Math.min(...spans.map(({ startMs }) => startMs));
  const durationMs = Math.max(1, Math.max(...spans.map(({ endMs }) => endMs)) - start);
  const x = (ms: number) => labelWidth + ((ms - start) / durationMs) * timeWidth;
  const height = top + rows.length * rowHeight + 16;
  const width = labelWidth + timeWidth + 24;
  const lines = Array.from({ length: ticks + 1 }, (_, index) => {
    const at = (labelWidth + (index / ticks) * timeWidth).toFixed(1);
    const ms = (index / ticks) * durationMs;
    return `<line x1="${at}" x2="${at}" y1="${top - 6}" y2="${height - 12}" stroke="#ddd"/><text x="${at}" y="${top - 12}" text-anchor="middle" fill="#666">${formatDuration(ms)}</text>`;
  });
  const parts = rows.map((row, index) => drawRow(row, top + index * rowHeight, x));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="12" y="22" font-size="15" font-weight="600">${escapeXml(title)}</text>`,
    ...lines,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

function groupRows(all: readonly ReceivedSpan[], siblings: readonly ReceivedSpan[], depth: number): Row[] {
  const kinds = new Map<string, ReceivedSpan[]>();
  for (const span of [...siblings].sort((a, b) => a.startMs - b.startMs)) {
    const key = `${span.service} ${span.name}`;
    kinds.set(key, [...(kinds.get(key) ?? []), span]);
  }
  return [...kinds.values()].flatMap((spans) => {
    const [first] = spans;
    if (!first) return [];
    const ids = new Set(spans.map(({ spanId }) => spanId));
    const children = all.filter(({ parentId }) => ids.has(parentId));
    return [{ service: first.service, name: first.name, depth, spans }, ...groupRows(all, children, depth + 1)];
  });
}

function drawRow({ service, name, depth, spans }: Row, y: number, x: (ms: number) => number): string {
  const color = colors[service] ?? '#777';
  const count = spans.length > 1 ? ` × ${spans.length}` : '';
  const bars = spans.map(({ startMs, endMs, failed }) => {
    const barWidth = Math.max(1.5, x(endMs) - x(startMs)).toFixed(1);
    const edge = failed ? ' stroke="#c00"' : '';
    const hint = `<title>${escapeXml(`${service}: ${name}, ${formatDuration(endMs - startMs)}`)}</title>`;
    return `<rect x="${x(startMs).toFixed(1)}" y="${y + 3}" width="${barWidth}" height="12" fill="${color}" fill-opacity="0.8"${edge}>${hint}</rect>`;
  });
  const total = spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / spans.length;
  const label = `<tspan fill="${color}" font-weight="600">${escapeXml(service)}</tspan> ${escapeXml(name)}${count}`;
  const time = `<text x="${labelWidth - 10}" y="${y + 13}" text-anchor="end" fill="#666">${formatDuration(total)}</text>`;
  return `<text x="${12 + depth * 12}" y="${y + 13}">${label}</text>${time}${bars.join('')}`;
}

function formatDuration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  return ms >= 10 ? `${ms.toFixed(0)} ms` : `${ms.toFixed(1)} ms`;
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
