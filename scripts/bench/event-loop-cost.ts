import { monitorEventLoopDelay } from 'node:perf_hooks'

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
  await turn()
  await turn()
  delays.reset()
  meter.reset()
  const cpu = process.cpuUsage()
  const start = performance.now()
  const result = await work()
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  await turn()
  await turn()
  delays.disable()
  // The histogram counts its own resolution of a millisecond as delay, and knows nothing of work shorter than that.
  const seen = delays.count === 0 ? 0 : delays.max / 1e6 - 1
  const { longest, longestCpu } = meter.stop()
  return { result, ms, cpuMs: (user + system) / 1000, stallMs: Math.max(longest, seen), stallCpuMs: longestCpu }
}

export function turn(): Promise<void> {
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
