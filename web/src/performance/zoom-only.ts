type Axis = { range: unknown };

/** A drawn figure. Its parts are compared by identity. */
export type Drawn = { data: unknown; layout: { xaxis: Axis; yaxis: Axis } };

function sameBut(ignored: string[], before: object, next: object): boolean {
  const old = new Map(Object.entries(before));
  return Object.entries(next).every(([name, value]) => ignored.includes(name) || Object.is(old.get(name), value));
}

/** Whether only the ranges of the axes differ between the drawn figure and the next one. */
export function isZoomOnly(before: Drawn, next: Drawn): boolean {
  return (
    before.data === next.data &&
    sameBut(['xaxis', 'yaxis'], before.layout, next.layout) &&
    sameBut(['range'], before.layout.xaxis, next.layout.xaxis) &&
    sameBut(['range'], before.layout.yaxis, next.layout.yaxis)
  );
}
