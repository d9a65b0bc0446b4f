import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** Wall time, processor time, and the longest processor time without a turn for others. */
export type Cost = { ms: number; cpuMs: number; stallMs: number }

export async function costOf(work: () => unknown): Promise<Cost> {
  const before = clocks()
  let last = before
  let stallMs = 0
  let isOn = true
  const tick = () => {
    const now = clocks()
    stallMs = Math.max(stallMs, now.threadMs - last.threadMs)
    last = now
    if (isOn) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  const after = clocks()
  await nextTurn()
  isOn = false
  return { ms: after.ms - before.ms, cpuMs: after.cpuMs - before.cpuMs, stallMs }
}

export function clocks() {
  const sum = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000
  return { ms: performance.now(), cpuMs: sum(process.cpuUsage()), threadMs: sum(process.threadCpuUsage()) }
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN
}

export async function collectGarbage(): Promise<void> {
  // Typed arrays are freed in the background.
  for (let round = 0; round < 6; round++) {
    if (globalThis.gc === undefined) throw new Error('no garbage collection on demand: run it by npm run bench')
    await globalThis.gc()
    await wait(60)
  }
}

/** Of the heap and outside of it, bytes. */
export function memory(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** USER_HZ and PAGE_SIZE of every Linux that Node runs on. */
const [TICK_MS, PAGES_OF_A_MB] = [10, 256]

/** Processor time so far and resident memory of a process, from /proc/<pid>/stat (proc(5)). */
export function usageOf(pid: number): { cpuMs: number; memoryMb: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in brackets may have spaces.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [user = Number.NaN, system = Number.NaN] = fields.slice(11)
  return { cpuMs: (user + system) * TICK_MS, memoryMb: (fields[21] ?? Number.NaN) / PAGES_OF_A_MB }
}
