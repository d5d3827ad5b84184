type ToImage = typeof import('./plotly.ts').toImage;
type Drawing = Parameters<ToImage>[0];
type Size = { width: number; height: number };

/** Draws a figure with the plotly that `load` fetches and saves it as a PNG. Rejects if it cannot be loaded or drawn. */
export async function savePng(load: () => Promise<ToImage>, drawing: Drawing, size: Size, fileName: string) {
  const toImage = await load();
  const url = await toImage(drawing, { format: 'png', ...size });
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
}
