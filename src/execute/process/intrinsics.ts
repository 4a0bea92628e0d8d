// Timers, promises and JSON as they were before user code could replace them. Workers use only these.

export const { clearInterval, clearTimeout, Promise, setImmediate, setInterval, setTimeout } = globalThis;
export const { parse, stringify } = JSON;
export const eventLoopUtilization = performance.eventLoopUtilization.bind(performance);
export const now = performance.now.bind(performance);
