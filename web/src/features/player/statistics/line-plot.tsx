import { useCallback } from 'react';
import { Button } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Panel } from '../../../components/page.tsx';
import { toast } from '../../../components/toasts.tsx';
import { csvText, saveText } from '../../../lib/download.ts';
import { tokenColor } from '../../../lib/theme.ts';
import { LazyPlot } from '../../../performance/lazy-plot.tsx';
import { savePng } from '../../../performance/save-png.ts';
import { buildLineLayout, buildLines, LINE_CONFIG, type LineFigure } from './play-figures.ts';

const HEIGHT = 340;
const PICTURE = { width: 1200, height: 640 };

type Props = {
  figure: LineFigure;
  /** Describes the plot to screen readers, after the title. */
  summary: string;
  fileName: string;
  children?: React.ReactNode;
};

function savePicture(figure: LineFigure, fileName: string): void {
  const options = { ...PICTURE, color: tokenColor, picture: true };
  const drawing = { data: buildLines(figure, options), layout: buildLineLayout(figure, options) };
  savePng(
    async () => (await import('../../../performance/plotly.ts')).toImage,
    drawing,
    PICTURE,
    `${fileName}.png`,
  ).catch(() => toast.error('Failed to draw the picture. Reload the page and try again.'));
}

function saveCsv({ xTitle, yTitle, lines }: LineFigure, fileName: string): void {
  const rows = lines.flatMap(({ name, x, y }) => x.map((at, index) => [name, at, y[index] ?? null]));
  saveText(csvText([['line', xTitle, yTitle], ...rows]), `${fileName}.csv`, 'text/csv');
}

/** Shows a panel with a plot of lines, its children below, and downloads as CSV and PNG. */
export function LinePlotPanel({ figure, summary, fileName, children }: Props) {
  const download = `Download ${figure.title} as`;
  return (
    <Panel
      title={figure.title}
      actions={
        <>
          <Button variant="secondary" small aria-label={`${download} CSV`} onClick={() => saveCsv(figure, fileName)}>
            <Icon name="download" /> CSV
          </Button>
          <Button
            variant="secondary"
            small
            aria-label={`${download} PNG`}
            onClick={() => savePicture(figure, fileName)}
          >
            <Icon name="download" /> PNG
          </Button>
        </>
      }
    >
      <Plot figure={figure} summary={summary} />
      {children}
    </Panel>
  );
}

function Plot({ figure, summary }: Pick<Props, 'figure' | 'summary'>) {
  const build = useCallback(
    ({ width, color }: { width: number; color: typeof tokenColor }) => {
      const options = { width, height: HEIGHT, color };
      return { data: buildLines(figure, options), layout: buildLineLayout(figure, options) };
    },
    [figure],
  );
  return <LazyPlot label={`${figure.title}. ${summary}`} build={build} config={LINE_CONFIG} minHeight={() => HEIGHT} />;
}
