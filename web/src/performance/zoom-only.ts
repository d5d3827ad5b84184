type Axis = { range: unknown };

/** A drawn figure. Its parts are compared by identity. */
export type Drawn = { data: unknown; layout: { xaxis: Axis; yaxis: Axis } };

function equalExcept(ignored: string[], before: object, next: object): boolean {
  const old = new Map(Object.entries(before));
  return Object.entries(next).every(([name, value]) => ignored.includes(name) || Object.is(old.get(name), value));
}

/** Returns whether only the ranges of the axes differ between the drawn figure and the next one. */
export function isZoomOnly(before: Drawn, next: Drawn): boolean {
  return (
    before.data === next.data &&
    equalExcept(['xaxis', 'yaxis'], before.layout, next.layout) &&
    equalExcept(['range'], before.layout.xaxis, next.layout.xaxis) &&
    equalExcept(['range'], before.layout.yaxis, next.layout.yaxis)
  );
}
