// A part of plotly calls the global object `global`, as Node does. Imported before it, since imports run in their order.
Object.assign(globalThis, { global: globalThis });
