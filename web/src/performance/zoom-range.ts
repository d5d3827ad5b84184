/** A part of the x axis in hands, or null for all of it. */
export type ZoomRange = { from: number; to: number } | null;

/** A selection as whole hands inside 0..hands: swapped when made backwards, null when empty (to be ignored). */
export function selectRange(from: number, to: number, hands: number): ZoomRange {
  if (!Number.isFinite(from) || !Number.isFinite(to)) return null;
  const clamp = (value: number) => Math.max(0, Math.min(hands, Math.round(value)));
  const [low, high] = [clamp(Math.min(from, to)), clamp(Math.max(from, to))];
  return low === high ? null : { from: low, to: high };
}

/** The whole number typed into From or To; null for anything else. */
export function parseHand(text: string): number | null {
  return /^\s*-?\d{1,9}\s*$/.test(text) ? Number(text) : null;
}

export function rangeLabel(range: ZoomRange): string {
  return range === null ? 'FULL RANGE' : `ZOOMED: ${range.from} → ${range.to}`;
}

/** The range scaled around a hand by a factor (below 1 zooms in); null once it covers everything. */
export function scaleRange(range: ZoomRange, factor: number, around: number, hands: number): ZoomRange {
  const { from, to } = range ?? { from: 0, to: hands };
  const width = Math.max(Math.min(4, hands), (to - from) * factor);
  if (width >= hands) return null;
  const share = to === from ? 0.5 : (Math.max(from, Math.min(to, around)) - from) / (to - from);
  const start = Math.max(0, Math.min(hands - width, around - width * share));
  return selectRange(start, start + width, hands);
}

/** The range moved by a share of its width, kept inside the hands. */
export function moveRange(range: ZoomRange, share: number, hands: number): ZoomRange {
  if (range === null) return null;
  const width = range.to - range.from;
  const step = Math.sign(share) * Math.max(1, Math.abs(Math.round(width * share)));
  const from = Math.max(0, Math.min(hands - width, range.from + step));
  return { from, to: from + width };
}
