import { saveText } from '../lib/download.ts';
import { buildFrame, buildTraces, type FigureOptions, withRanges } from './figure.ts';
import { performanceCsv } from './performance-csv.ts';
import type { PlayerSeries } from './series.ts';

const PICTURE = { width: 1600, height: 900 };

export function saveCsv(series: readonly PlayerSeries[], gameId: string): void {
  saveText(performanceCsv(series), `performance_${gameId}.csv`, 'text/csv');
}

/** Draws the figure anew in a fixed size with its legend and saves it as a picture. Rejects when it cannot be drawn. */
export async function savePicture(
  figure: Omit<FigureOptions, 'width' | 'height' | 'legend' | 'drag'>,
  gameId: string,
): Promise<void> {
  const plotly = await import('./plotly.ts');
  const options = { ...figure, ...PICTURE, legend: true, drag: false };
  const url = await plotly.toImage(
    { data: buildTraces(options), layout: withRanges(buildFrame(options), options) },
    { format: 'png', ...PICTURE },
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = `performance_${gameId}.png`;
  link.click();
}
