// Timers of ten seconds or more take a tenth, for a test that waits for periodic work.
const plain = globalThis.setTimeout
const soon = (run, ms, ...rest) => plain(run, ms >= 10_000 ? ms / 10 : ms, ...rest)
globalThis.setTimeout = Object.defineProperties(soon, Object.getOwnPropertyDescriptors(plain))
