import type { Config, Data, Layout } from 'plotly.js';
import { formatNumber } from '../../../lib/format.ts';
import type { PlayFigure, PlayStatistics } from '../../../lib/types.ts';
import { lineStyle } from '../../../performance/line-style.ts';

export type PlayerPlay = PlayStatistics['players'][number];
export type Position = NonNullable<PlayFigure['position']>;
export type Street = NonNullable<PlayFigure['street']>;

type Kind = 'share' | 'ratio' | 'pots';
export type Statistic = {
  id: string;
  label: string;
  kind: Kind;
  /** What `of` counts. */
  chances: string;
  /** What the number means. */
  meaning: string;
  onStreets?: true;
};

/** Figures with fewer opportunities are not shown: their 95 % interval is wider than 40 points. */
export const MIN_CHANCES = 20;

export const POSITIONS: readonly Position[] = ['UTG', 'HJ', 'CO', 'BTN', 'SB', 'BB'];
export const STREETS: readonly Street[] = ['preflop', 'flop', 'turn', 'river'];

export const STATISTICS: readonly Statistic[] = [
  {
    id: 'vpip',
    label: 'VPIP',
    kind: 'share',
    chances: 'hands',
    meaning: 'Put chips into the pot before the flop without being forced to by a blind.',
  },
  { id: 'pfr', label: 'PFR', kind: 'share', chances: 'hands', meaning: 'Raised before the flop.' },
  {
    id: 'three_bet',
    label: 'Three-bet',
    kind: 'share',
    chances: 'chances',
    meaning: 'Raised again after the first raise before the flop.',
  },
  {
    id: 'fold_to_three_bet',
    label: 'Fold to three-bet',
    kind: 'share',
    chances: 'three-bets faced',
    meaning: 'Made the first raise before the flop and folded to the next one.',
  },
  {
    id: 'steal',
    label: 'Steal',
    kind: 'share',
    chances: 'chances',
    meaning: 'Raised from CO, BTN or SB when everybody before it had folded.',
  },
  {
    id: 'aggression_factor',
    label: 'Aggression factor',
    kind: 'ratio',
    chances: 'calls',
    meaning: 'Bets and raises after the flop for each call.',
    onStreets: true,
  },
  {
    id: 'aggression_frequency',
    label: 'Aggression frequency',
    kind: 'share',
    chances: 'actions',
    meaning: 'Bets and raises among all actions after the flop but checks.',
    onStreets: true,
  },
  {
    id: 'c_bet',
    label: 'Continuation bet',
    kind: 'share',
    chances: 'chances',
    meaning: 'Was the last to raise before the flop and made the first bet on it.',
    onStreets: true,
  },
  {
    id: 'fold_to_c_bet',
    label: 'Fold to continuation bet',
    kind: 'share',
    chances: 'continuation bets faced',
    meaning: 'Folded to a continuation bet on the flop.',
    onStreets: true,
  },
  {
    id: 'went_to_showdown',
    label: 'Went to showdown',
    kind: 'share',
    chances: 'flops seen',
    meaning: 'Saw the flop and did not fold.',
  },
  {
    id: 'won_at_showdown',
    label: 'Won at showdown',
    kind: 'share',
    chances: 'showdowns',
    meaning: 'Won a pot, or a part of one, at the showdown.',
  },
  {
    id: 'bet_size',
    label: 'Bet size',
    kind: 'pots',
    chances: 'bets and raises',
    meaning: 'Mean of bets and raises after the flop, as multiples of the pot.',
    onStreets: true,
  },
];

/** Returns a figure of a player: over everything, of one position, or of one street. */
export function figureOf(
  player: PlayerPlay,
  statistic: string,
  { position = null, street = null }: { position?: Position | null; street?: Street | null } = {},
): PlayFigure | undefined {
  return player.figures.find(
    (one) => one.statistic === statistic && one.position === position && one.street === street,
  );
}

/** Formats a figure's value; '—' with too few opportunities. */
export function formatFigure(figure: PlayFigure | undefined, kind: Kind): string {
  if (figure === undefined || figure.value === null || figure.of < MIN_CHANCES) return '—';
  if (kind === 'share') return `${(100 * figure.value).toFixed(1)} %`;
  return kind === 'ratio' ? figure.value.toFixed(2) : `${figure.value.toFixed(2)} pots`;
}

/** Formats the number of opportunities of a figure: '245 of 1,016 hands', 'only 3 hands'. */
export function formatChances(figure: PlayFigure | undefined, { kind, chances }: Statistic): string {
  const of = figure?.of ?? 0;
  if (of === 0) return `no ${chances}`;
  if (of < MIN_CHANCES) return `only ${formatNumber(of)} ${chances}`;
  if (kind === 'pots') return `${formatNumber(of)} ${chances}`;
  const count = formatNumber(figure?.count ?? 0);
  return kind === 'ratio' ? `${count} to ${formatNumber(of)} ${chances}` : `${count} of ${formatNumber(of)} ${chances}`;
}

/** Returns the positions in which a player was dealt in. */
export function positionsOf(player: PlayerPlay): Position[] {
  return POSITIONS.filter((position) => player.figures.some((figure) => figure.position === position && figure.of > 0));
}

export type PlotLine = { name: string; x: readonly (string | number)[]; y: readonly number[] };
export type LineFigure = {
  title: string;
  xTitle: string;
  yTitle: string;
  lines: readonly PlotLine[];
  /** Distance of the ticks of the x axis; plotly chooses it by default. */
  xStep?: number;
};

export type LineOptions = {
  width: number;
  height: number;
  /** Returns the value of a design token, because plotly cannot read CSS variables. */
  color: (token: string) => string;
  /** A background and a title, for the exported picture. */
  picture?: boolean;
};

const FONT = "'IBM Plex Mono', ui-monospace, monospace";
const NARROW = 480;

/** Constant, because plotly redraws everything for a new configuration object. */
export const LINE_CONFIG = { staticPlot: true, displayModeBar: false, responsive: false } satisfies Partial<Config>;

/** Builds a trace for each line; colour, dash and marker differ. */
export function buildLines({ lines }: LineFigure, { color, width }: LineOptions): Data[] {
  return lines.map(({ name, x, y }, index) => {
    const { token, dashName, marker } = lineStyle(index);
    return {
      type: 'scatter',
      mode: 'lines+markers',
      name,
      x: [...x],
      y: [...y],
      hoverinfo: 'none',
      line: { color: color(token), width: 2, dash: dashName },
      marker: { symbol: marker, size: 7, color: color(token), maxdisplayed: Math.max(6, Math.round(width / 34)) },
    } satisfies Data;
  });
}

/** Builds the layout with a legend above the plot. */
export function buildLineLayout(
  { title, xTitle, yTitle, xStep }: LineFigure,
  { width, height, color, picture }: LineOptions,
) {
  const clear = 'rgba(0,0,0,0)';
  const axis = {
    fixedrange: true,
    gridcolor: color('--color-chart-grid'),
    linecolor: color('--color-muted'),
    zerolinecolor: color('--color-border-strong'),
    tickfont: { color: color('--color-text-soft'), size: width < NARROW ? 10 : 12 },
    automargin: true,
  };
  return {
    width,
    height,
    margin: { l: 64, r: 20, t: picture ? 84 : 40, b: 56 },
    paper_bgcolor: picture ? color('--color-panel') : clear,
    plot_bgcolor: clear,
    font: { family: FONT, color: color('--color-text-soft'), size: 12 },
    ...(picture ? { title: { text: title, font: { size: 14 } } } : {}),
    showlegend: true,
    legend: { orientation: 'h' as const, x: 0, y: 1, yanchor: 'bottom' as const },
    hovermode: false as const,
    dragmode: false as const,
    xaxis: { ...axis, title: { text: xTitle, standoff: 10 }, ...(xStep === undefined ? {} : { dtick: xStep }) },
    yaxis: { ...axis, title: { text: yTitle, standoff: 10 }, tickformat: ',.6~g' },
  } satisfies Partial<Layout>;
}
