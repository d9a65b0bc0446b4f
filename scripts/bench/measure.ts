import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * What some work cost, ms: wall and processor time, and the longest time in which nothing else had its turn, also in
 * both: where other programs want the processor, wall time tells of them.
 */
export type Cost = { ms: number; cpuMs: number; stallMs: number; stallCpuMs: number }

/** Runs the work once. The stall is the larger of our own meter's (the gaps between its turns) and perf_hooks'. */
export async function costOf<T>(work: () => T | Promise<T>): Promise<Cost & { result: T }> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  const meter = meterGaps()
  delays.enable()
  await nextTurn()
  await nextTurn()
  delays.reset()
  meter.reset()
  const cpu = process.cpuUsage()
  const start = performance.now()
  const result = await work()
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  await nextTurn()
  await nextTurn()
  delays.disable()
  // The histogram counts its own resolution of a millisecond as delay, and knows nothing of work shorter than that.
  const seen = delays.count === 0 ? 0 : delays.max / 1e6 - 1
  const { longest, longestCpu } = meter.stop()
  return { result, ms, cpuMs: (user + system) / 1000, stallMs: Math.max(longest, seen), stallCpuMs: longestCpu }
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Takes every turn of the event loop it can get and remembers the longest wait for one. */
function meterGaps() {
  let last = performance.now()
  let lastCpu = threadCpuMs()
  let longest = 0
  let longestCpu = 0
  let isOn = true
  const tick = () => {
    const now = performance.now()
    const cpu = threadCpuMs()
    longest = Math.max(longest, now - last)
    longestCpu = Math.max(longestCpu, cpu - lastCpu)
    last = now
    lastCpu = cpu
    if (isOn) setImmediate(tick)
  }
  setImmediate(tick)
  return {
    reset: () => {
      last = performance.now()
      lastCpu = threadCpuMs()
      longest = 0
      longestCpu = 0
    },
    stop: () => {
      isOn = false
      return { longest, longestCpu }
    },
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Runs the work several times, given its count from 0 on; what a run takes of the processor, ms. */
export function processorTimes(runs: number, work: (at: number) => unknown): { 'median ms': number; 'p95 ms': number } {
  const times: number[] = []
  for (let at = 0; at < runs; at++) {
    const started = process.cpuUsage()
    work(at)
    const { user, system } = process.cpuUsage(started)
    times.push((user + system) / 1000)
  }
  return { 'median ms': median(times), 'p95 ms': quantile(times, 0.95) }
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value that this part (0 to 1) of all lie below; NaN of none. */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN
}

/**
 * The slope of least squares through the points, and half of its 95 % interval: wider where what is left over of a point is
 * like that of its neighbour, as with memory.
 */
export function slopeOf(points: readonly { x: number; y: number }[]): { slope: number; error: number } {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))]
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread
  const rests = points.map(({ x, y }) => y - meanY - slope * (x - meanX))
  const squares = rests.reduce((sum, rest) => sum + rest ** 2, 0)
  const products = rests.reduce((sum, rest, at) => sum + rest * (rests[at - 1] ?? 0), 0)
  const alike = squares === 0 ? 0 : Math.min(0.95, Math.max(0, products / squares))
  const error = 1.96 * Math.sqrt(squares / Math.max(1, points.length - 2) / spread)
  return { slope, error: error * Math.sqrt((1 + alike) / (1 - alike)) }
}

/** What a value holds: on the heap, and outside of it (typed arrays), bytes. */
type Held = { heap: number; outside: number }

/** Makes a value twice and measures the second, when all code is compiled and all else is where it stays. */
export async function heldBy(make: () => unknown): Promise<Held> {
  await make()
  const before = await usedMemory()
  const value = await make()
  const after = await usedMemory()
  return value === undefined
    ? { heap: 0, outside: 0 }
    : { heap: after.heap - before.heap, outside: after.outside - before.outside }
}

/** Resolves when nothing is left to collect. Throws where the runtime cannot collect on demand. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new Error('no garbage collection on demand')
  // Several rounds with pauses: typed arrays are given back in the background.
  for (let round = 0; round < 6; round++) {
    collect()
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
}

async function usedMemory(): Promise<Held> {
  await collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { heap: heapUsed, outside: arrayBuffers }
}

/** The most moments (ms, ascending) within any sliding window. */
export function mostInAny(moments: readonly number[], windowMs: number): number {
  let most = 0
  let first = 0
  moments.forEach((moment, index) => {
    while ((moments[first] ?? 0) <= moment - windowMs) first += 1
    most = Math.max(most, index - first + 1)
  })
  return most
}
