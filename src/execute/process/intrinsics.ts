// What user code may replace (fake timers, a patched JSON), as it was before any of it ran. Workers use nothing else.

export const { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } = globalThis;
export const { parse, stringify } = JSON;
export const now = performance.now.bind(performance);
