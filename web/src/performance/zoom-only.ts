type Axis = { range: unknown };

/** The drawn figure, to distinguish a zoom from other changes: parts are equal if they are the same object. */
export type Drawn = { data: unknown; layout: { xaxis: Axis; yaxis: Axis } };

function sameBut(left: string[], before: object, next: object): boolean {
  const old = new Map(Object.entries(before));
  return Object.entries(next).every(([name, value]) => left.includes(name) || Object.is(old.get(name), value));
}

/** Whether the next figure differs from the one drawn in nothing but the ranges of its axes. */
export function isZoomOnly(before: Drawn, next: Drawn): boolean {
  return (
    before.data === next.data &&
    sameBut(['xaxis', 'yaxis'], before.layout, next.layout) &&
    sameBut(['range'], before.layout.xaxis, next.layout.xaxis) &&
    sameBut(['range'], before.layout.yaxis, next.layout.yaxis)
  );
}
