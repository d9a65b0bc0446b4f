// For a server whose test waits for what it does now and then: waits of ten seconds and more last a tenth.
const plain = globalThis.setTimeout
const soon = (run, ms, ...rest) => plain(run, ms >= 10_000 ? ms / 10 : ms, ...rest)
globalThis.setTimeout = Object.defineProperties(soon, Object.getOwnPropertyDescriptors(plain))
