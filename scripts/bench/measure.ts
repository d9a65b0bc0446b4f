import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** Wall time, processor time, and the longest processor time during which no other work had a turn. */
export type Cost = { ms: number; cpuMs: number; stallMs: number }

export async function measureCost(work: () => unknown): Promise<Cost> {
  const before = readClocks()
  let last = before
  let stallMs = 0
  let isOn = true
  const tick = () => {
    const now = readClocks()
    stallMs = Math.max(stallMs, now.threadMs - last.threadMs)
    last = now
    if (isOn) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  const after = readClocks()
  await nextTurn()
  isOn = false
  return { ms: after.ms - before.ms, cpuMs: after.cpuMs - before.cpuMs, stallMs }
}

export function readClocks() {
  const sum = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000
  return { ms: performance.now(), cpuMs: sum(process.cpuUsage()), threadMs: sum(process.threadCpuUsage()) }
}

export function nextTurn() {
  return new Promise((resolve) => setImmediate(resolve))
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], fraction: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * fraction)] ?? Number.NaN
}

export async function collectGarbage() {
  // Typed arrays are freed in the background.
  for (let round = 0; round < 6; round++) {
    if (globalThis.gc === undefined) throw new Error('no garbage collection on demand: run it by npm run bench')
    await globalThis.gc()
    await wait(60)
  }
}

/** Returns the bytes in use on the heap and in array buffers. */
export function readMemory(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** USER_HZ (100) and PAGE_SIZE (4 kB) are the same on every Linux that Node runs on. */
const TICK_MS = 10
const PAGES_OF_A_MB = 256

/** Reads processor time and resident memory of a process from /proc/<pid>/stat (proc(5)). */
export function readUsage(pid: number): { cpuMs: number; memoryMb: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The fields follow the name, which is in brackets and may have spaces.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [user = Number.NaN, system = Number.NaN] = fields.slice(11)
  return { cpuMs: (user + system) * TICK_MS, memoryMb: (fields[21] ?? Number.NaN) / PAGES_OF_A_MB }
}
