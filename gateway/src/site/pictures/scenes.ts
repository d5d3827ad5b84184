import { formatChange } from '../words.ts';
import { box, card, colours, height, picture, text, width } from './draw.ts';

export interface Seat {
  readonly name: string;
  /** Chips won or lost. */
  readonly delta: number;
  /** Two cards; empty if they are not shown. */
  readonly cards: readonly string[];
}

export interface TableScene {
  readonly heading: string;
  /** Who won what. */
  readonly sentence: string;
  readonly board: readonly string[];
  readonly seats: readonly Seat[];
}

export interface ListScene {
  readonly heading: string;
  readonly sentence: string;
  /** The first `rowsShown` are drawn. */
  readonly rows: readonly {
    readonly rank: number;
    readonly name: string;
    readonly delta: number;
    readonly highlighted: boolean;
  }[];
}

export type Scene = TableScene | ListScene;

const centre = { x: width / 2, y: 312 };
const maxNameCharacters = 20;

/** Number of rows that fit into a list. */
export const rowsShown = 8;

/** Draws a card table or a list of results as SVG. */
export function draw(scene: Scene): string {
  return 'seats' in scene ? drawTable(scene) : drawList(scene);
}

/** The picture of pages without a picture of their own, and of all private and unknown subjects. */
export const generalScene: TableScene = {
  heading: "Husky Hold'em Bench",
  sentence: 'Poker bots, by people and language models, live at the table',
  board: ['As', 'Kh', 'Qs', 'Jd', 'Tc'],
  seats: [],
};

function frame(heading: string, sentence: string): string[] {
  return [
    text(40, 56, heading, { size: 56, font: 'display', fill: colours.accent, maxWidth: 800 }),
    text(width - 40, 50, "Husky Hold'em", { size: 32, font: 'display', fill: colours.muted, anchor: 'end' }),
    text(centre.x, height - 26, sentence, { size: 34, anchor: 'middle', maxWidth: width - 80 }),
  ];
}

function drawTable({ heading, sentence, board, seats }: TableScene): string {
  const best = Math.max(1, ...seats.map(({ delta }) => delta));
  const cards = Array.from({ length: 5 }, (_, place) =>
    card(centre.x - 226 + place * 92, centre.y - 59, 84, board[place] ?? ''),
  );
  return picture([
    ...frame(heading, sentence),
    `<ellipse cx="${centre.x}" cy="${centre.y}" rx="420" ry="190" fill="${colours.felt}" stroke="${colours.rail}" stroke-width="10"/>`,
    ...cards,
    ...seats.map((seat, place) => drawSeat(seat, place, seats.length, seat.delta === best)),
  ]);
}

function drawSeat({ name, delta, cards }: Seat, place: number, count: number, won: boolean): string {
  // The first seat is at the bottom; the others follow clockwise.
  const angle = Math.PI / 2 + (2 * Math.PI * place) / count;
  const [w, h] = [236, 76];
  const x = Math.round(centre.x + 452 * Math.cos(angle) - w / 2);
  const y = Math.round(centre.y + 196 * Math.sin(angle) - h / 2);
  const shown = name.length > maxNameCharacters ? `${name.slice(0, maxNameCharacters - 1)}…` : name;
  return [
    box(x, y, w, h, colours.panel, won ? colours.highlight : colours.border),
    text(x + 12, y + 28, shown, { size: 20, maxWidth: w - 24 }),
    text(x + 12, y + 60, formatChange(delta), {
      size: 24,
      fill: colourOf(delta),
      maxWidth: cards.length > 0 ? 128 : w - 24,
    }),
    ...cards.map((code, at) => card(x + w - 80 + at * 37, y + 31, 30, code)),
  ].join('');
}

function drawList({ heading, sentence, rows }: ListScene): string {
  return picture([
    ...frame(heading, sentence),
    ...rows.slice(0, rowsShown).flatMap(({ rank, name, delta, highlighted }, place) => {
      const y = 88 + place * 60;
      return [
        box(80, y, width - 160, 52, colours.panel, highlighted ? colours.highlight : colours.border),
        text(104, y + 36, `${rank}`, { size: 28, fill: colours.muted, maxWidth: 76 }),
        text(190, y + 36, name, { size: 28, maxWidth: 620 }),
        text(width - 104, y + 36, formatChange(delta), {
          size: 28,
          fill: colourOf(delta),
          anchor: 'end',
          maxWidth: 280,
        }),
      ];
    }),
  ]);
}

function colourOf(delta: number): string {
  if (delta === 0) return colours.muted;
  return delta > 0 ? colours.gain : colours.loss;
}
