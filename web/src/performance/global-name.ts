// Plotly uses Node's name `global` for the global object. Must be imported before plotly: imports run in order.
Object.assign(globalThis, { global: globalThis });
