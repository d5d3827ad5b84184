import { saveText } from '../lib/download.ts';
import { tokenColor } from '../lib/token-color.ts';
import type { Figure } from './figure.ts';
import { lineStyle } from './line-style.ts';
import { handCount, type PlayerSeries } from './series.ts';

// A spreadsheet would run a cell that starts with one of these as a formula.
const FORMULA_START = /^[=+\-@\t\r]/;

function cell(text: string): string {
  const safe = FORMULA_START.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Formats the series as CSV: a row per hand, a column per player, cumulative delta in dollars. */
export function performanceCsv(series: readonly PlayerSeries[]): string {
  const header = ['hand', ...series.map(({ name }) => cell(name))].join(',');
  const rows = Array.from({ length: handCount(series) }, (_, hand) =>
    [hand + 1, ...series.map(({ values }) => values[hand] ?? '')].join(','),
  );
  return `${[header, ...rows].join('\n')}\n`;
}

const PICTURE = { width: 1600, height: 900 };
const LEGEND_ROW_PX = 28;
const LEGEND_FONT = "16px 'IBM Plex Mono', ui-monospace, monospace";

export function saveCsv(series: readonly PlayerSeries[], gameId: string): void {
  saveText(performanceCsv(series), `performance_${gameId}.csv`, 'text/csv');
}

/** Draws the names of the visible lines with their samples, in rows that fit the width. */
function drawLegend(
  context: CanvasRenderingContext2D,
  { lines, hidden }: Figure,
  token: (name: string) => string,
): void {
  let [x, y] = [24, 30];
  context.font = LEGEND_FONT;
  for (const [index, { name }] of lines.entries()) {
    if (hidden.has(index)) continue;
    const width = 56 + context.measureText(name).width + 28;
    if (x + width > PICTURE.width) [x, y] = [24, y + LEGEND_ROW_PX];
    const style = lineStyle(index);
    context.save();
    context.translate(x + 20, y - 5);
    context.strokeStyle = token(style.token);
    context.fillStyle = token(style.token);
    context.lineWidth = 2.5;
    context.setLineDash([...style.dash]);
    context.stroke(new Path2D('M-20 0H20'));
    context.fill(new Path2D(style.markerPath));
    context.restore();
    context.fillStyle = token('--color-text-soft');
    context.fillText(name, x + 52, y);
    x += width;
  }
}

/** Draws the figure in a fixed size with its legend and saves it as a picture. Rejects if it cannot be drawn. */
export async function savePicture(figure: Figure, gameId: string): Promise<void> {
  const { createPlot } = await import('./plot.ts');
  const rows = Math.ceil(figure.lines.length / 4);
  const top = 20 + rows * LEGEND_ROW_PX;
  const canvas = Object.assign(document.createElement('canvas'), PICTURE);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser has no canvas');
  const size = { width: PICTURE.width, height: PICTURE.height - top };
  await new Promise<void>((resolve) => {
    const plot = createPlot(document.createElement('div'), figure, {
      ...size,
      drag: false,
      titles: true,
      onDrawn: (drawn) => {
        context.fillStyle = tokenColor('--color-ground');
        context.fillRect(0, 0, PICTURE.width, PICTURE.height);
        context.drawImage(drawn.ctx.canvas, 0, top, size.width, size.height);
        drawLegend(context, figure, tokenColor);
        resolve();
        // Not before the library has finished its drawing.
        queueMicrotask(() => plot.destroy());
      },
    });
  });
  const link = document.createElement('a');
  link.href = canvas.toDataURL('image/png');
  link.download = `performance_${gameId}.png`;
  link.click();
}
