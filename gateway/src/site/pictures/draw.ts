// Parts of SVG pictures, 1200 x 630 pixels. Coordinates and sizes are in pixels.
import { escapeHtml } from '@husky/runtime/process/html';

export const width = 1200;
export const height = 630;

export const colours = {
  ground: '#000000',
  felt: '#0a2340',
  rail: '#16345c',
  panel: '#080a0e',
  border: '#444444',
  text: '#ffffff',
  muted: '#9db4d0',
  accent: '#559cf8',
  gain: '#00ff66',
  loss: '#ff5c7a',
  highlight: '#ffcc00',
} as const;

interface TextOptions {
  readonly size: number;
  readonly fill?: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  /** `display`: VT323, for headings. `mono`: IBM Plex Mono. */
  readonly font?: 'display' | 'mono';
  /** Reduces the size so that the text is at most this wide. */
  readonly maxWidth?: number;
}

// Advance of one character in em; both fonts are monospaced.
const fonts = {
  display: { family: 'VT323', advance: 0.4 },
  mono: { family: 'IBM Plex Mono SemiBold', advance: 0.6 },
} as const;

/** Draws one line of text; y is its baseline. */
export function text(x: number, y: number, content: string, options: TextOptions): string {
  const { size, fill = colours.text, anchor = 'start', font = 'mono', maxWidth = width } = options;
  const { family, advance } = fonts[font];
  const fitted = Math.min(size, maxWidth / (Math.max(1, [...content].length) * advance));
  return `<text x="${x}" y="${y}" font-family="${family}" font-size="${fitted.toFixed(1)}" fill="${fill}" text-anchor="${anchor}">${escapeHtml(content)}</text>`;
}

/** Draws a rectangle with rounded corners. */
export function box(x: number, y: number, w: number, h: number, fill: string, stroke: string = 'none'): string {
  return `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="8" fill="${fill}" stroke="${stroke}" stroke-width="2"/>`;
}

// Paths in a square of 24 x 24.
const suits: Readonly<Record<string, { fill: string; path: string }>> = {
  s: {
    fill: '#0a0d12',
    path: 'M12 2C9 7 3 10 3 15a4.5 4.5 0 0 0 8 2.800C10.8 20 10 21.5 8.5 22h7c-1.5-.5-2.3-2-2.5-4.200A4.5 4.5 0 0 0 21 15C21 10 15 7 12 2z',
  },
  h: {
    fill: '#c40233',
    path: 'M12 21C5 15.5 2.5 12 2.5 8.300A4.8 4.8 0 0 1 12 6a4.8 4.8 0 0 1 9.5 2.300C21.5 12 19 15.5 12 21z',
  },
  d: { fill: '#c40233', path: 'M12 2 20 12 12 22 4 12z' },
  c: {
    fill: '#0a0d12',
    path: 'M12 2.500a4.5 4.5 0 0 0-3.9 6.800A4.6 4.6 0 1 0 11 16.500c-.2 2.3-1 4-2.5 5.500h7c-1.5-1.5-2.3-3.2-2.5-5.500a4.6 4.6 0 1 0 2.9-7.200A4.5 4.5 0 0 0 12 2.500z',
  },
};

/** Draws a card such as `Th`, or an empty slot if the code is no card. The height is 1.4 times the width. */
export function card(x: number, y: number, w: number, code: string): string {
  const h = w * 1.4;
  const suit = suits[code.charAt(1)];
  const frame = `x="${x}" y="${y}" width="${w}" height="${h.toFixed(1)}" rx="${(w * 0.1).toFixed(1)}"`;
  if (suit === undefined)
    return `<rect ${frame} fill="none" stroke="${colours.rail}" stroke-width="3" stroke-dasharray="6 6"/>`;
  const rank = code.charAt(0) === 'T' ? '10' : code.charAt(0);
  const scale = (w / 24) * 0.5;
  return [
    `<rect ${frame} fill="#ffffff"/>`,
    text(x + w / 2, y + h * 0.45, rank, { size: w * 0.56, fill: suit.fill, anchor: 'middle' }),
    `<path transform="translate(${x + w * 0.25} ${(y + h * 0.53).toFixed(1)}) scale(${scale.toFixed(3)})" fill="${suit.fill}" d="${suit.path}"/>`,
  ].join('');
}

/** Joins the parts to an SVG picture. */
export function picture(parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="${colours.ground}"/>`,
    ...parts,
    '</svg>',
  ].join('');
}
