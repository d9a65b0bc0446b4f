import { readdirSync, readFileSync } from 'node:fs'

/** Processor time of a process so far, ms; NaN where the system has no /proc or no such process. */
export function cpuMsOf(pid: number | undefined): number {
  return (pid === undefined ? null : timesOf(pid))?.ownMs ?? Number.NaN
}

/** That of a process and of its children, those that have ended included, ms. */
export function familyCpuMsOf(pid: number): number {
  const alive = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => timesOf(Number(name)))
    .reduce((sum, times) => (times?.parent === pid ? sum + times.ownMs : sum), 0)
  const { ownMs, endedMs } = timesOf(pid) ?? { ownMs: Number.NaN, endedMs: Number.NaN }
  return alive + ownMs + endedMs
}

/** The process that started this one of that name; null where there is none on this machine. */
export function parentOf(pid: number, name: string): number | null {
  const times = timesOf(pid)
  return times?.name === name ? times.parent : null
}

/** A hundred ticks a second on every Linux that Node runs on (USER_HZ). */
const TICK_MS = 10

/** From /proc/<pid>/stat (proc(5)); the name in it may have spaces and brackets. */
function timesOf(pid: number): { name: string; parent: number; ownMs: number; endedMs: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = stat.lastIndexOf(')')
    const fields = stat.slice(end + 2).split(' ')
    const ticks = (at: number) => (Number(fields[at]) + Number(fields[at + 1])) * TICK_MS
    return {
      name: stat.slice(stat.indexOf('(') + 1, end),
      parent: Number(fields[1]),
      ownMs: ticks(11),
      endedMs: ticks(13),
    }
  } catch {
    return null
  }
}
