import { readFileSync } from 'node:fs'

/** Wall and processor time (ms), and the longest time without a turn for others. */
export type Cost = { ms: number; cpuMs: number; stallMs: number; stallCpuMs: number }

export async function costOf<T>(work: () => T | Promise<T>): Promise<Cost & { result: T }> {
  const longest = { stallMs: 0, stallCpuMs: 0 }
  const before = clocks()
  let last = before
  let isOn = true
  const tick = () => {
    const now = clocks()
    longest.stallMs = Math.max(longest.stallMs, now.ms - last.ms)
    longest.stallCpuMs = Math.max(longest.stallCpuMs, now.threadMs - last.threadMs)
    last = now
    if (isOn) setImmediate(tick)
  }
  setImmediate(tick)
  const result = await work()
  const after = clocks()
  await nextTurn()
  isOn = false
  return { result, ms: after.ms - before.ms, cpuMs: after.cpuMs - before.cpuMs, ...longest }
}

function clocks() {
  const sum = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000
  return { ms: performance.now(), cpuMs: sum(process.cpuUsage()), threadMs: sum(process.threadCpuUsage()) }
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

export function processorTimes(runs: number, work: () => unknown) {
  const times = Array.from({ length: runs }, () => {
    const started = clocks()
    work()
    return clocks().cpuMs - started.cpuMs
  })
  return { 'median ms': median(times), 'p95 ms': quantile(times, 0.95) }
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN
}

type Held = { heap: number; outside: number }

/** Measures the second of two values, when all code is compiled. */
export async function heldBy(make: () => unknown): Promise<Held> {
  await make()
  const before = await usedMemory()
  const value = await make()
  const after = await usedMemory()
  return value === undefined
    ? { heap: 0, outside: 0 }
    : { heap: after.heap - before.heap, outside: after.outside - before.outside }
}

export async function collectGarbage(): Promise<void> {
  // Typed arrays are freed in the background.
  for (let round = 0; round < 6; round++) {
    if (globalThis.gc === undefined) throw new Error('no garbage collection on demand: run it by npm run bench')
    await globalThis.gc()
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
}

async function usedMemory(): Promise<Held> {
  await collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { heap: heapUsed, outside: arrayBuffers }
}

export function maxInWindow(moments: readonly number[], windowMs: number): number {
  let max = 0
  let first = 0
  moments.forEach((moment, index) => {
    while ((moments[first] ?? 0) <= moment - windowMs) first += 1
    max = Math.max(max, index - first + 1)
  })
  return max
}

/** Processor time of a process so far, ms; NaN where the system has no /proc or no such process. */
export function cpuMsOf(pid: number | undefined): number {
  return (pid === undefined ? null : timesOf(pid))?.cpuMs ?? Number.NaN
}

export function memoryMbOf(pid: number | undefined): number {
  return (pid === undefined ? null : timesOf(pid))?.memoryMb ?? Number.NaN
}

/** USER_HZ and PAGE_SIZE of every Linux that Node runs on. */
const [TICK_MS, PAGES_OF_A_MB] = [10, 256]

/** From /proc/<pid>/stat (proc(5)); the name in it may have spaces and brackets. */
function timesOf(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = stat.lastIndexOf(')')
    const fields = stat.slice(end + 2).split(' ')
    const ticks = (at: number) => (Number(fields[at]) + Number(fields[at + 1])) * TICK_MS
    return { cpuMs: ticks(11), memoryMb: Number(fields[21]) / PAGES_OF_A_MB }
  } catch {
    return null
  }
}
