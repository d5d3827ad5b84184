let probe: HTMLElement | undefined;

/** Returns the present value of a colour token as rgb(), for canvases, which cannot read CSS variables. */
export function tokenColor(name: string): string {
  probe ??= document.body.appendChild(Object.assign(document.createElement('span'), { hidden: true }));
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}
