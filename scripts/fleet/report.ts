import type { Freshness, Look } from './verdicts'

/** What is printed while it happens, and counted at the end. */
export function createReport() {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const began = Date.now()
  const line = (text: string) => console.log(`${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s  ${text}`)
  return {
    counts,
    say: line,
    /** A verdict; `faults` are told, the first few of them. */
    verdict(name: string, faults: readonly string[], detail = ''): void {
      counts[faults.length === 0 ? 'passed' : 'failed'] += 1
      line(`${faults.length === 0 ? '✓' : '✗'} ${name}${detail === '' ? '' : ` (${detail})`}`)
      for (const fault of faults.slice(0, SHOWN)) line(`    ${fault}`)
      if (faults.length > SHOWN) line(`    and ${faults.length - SHOWN} more`)
    },
    /** What cannot be tried here; under CI it has failed. */
    skip(name: string, why: string, { isOfTheClone = false } = {}): void {
      if (process.env.CI === 'true' && !isOfTheClone) return this.verdict(name, [why])
      counts.skipped += 1
      line(`- ${name}: skipped, ${why}`)
    },
  }
}

export type Report = ReturnType<typeof createReport>

const SHOWN = 8

export function describeLook({ what, at, until, outcome, detail }: Look): string {
  return `${what} ${outcome} after ${((until - at) / 1000).toFixed(1)} s at ${new Date(at).toISOString().slice(11, 23)}: ${detail}`
}

export function describeFreshness({ looks, meanMs, p95Ms, worstMs }: Freshness): string {
  const seconds = (ms: number) => (ms / 1000).toFixed(1)
  return `${seconds(meanMs)} s behind on the average, ${seconds(p95Ms)} s at p95, ${seconds(worstMs)} s at worst, ${looks} looks`
}
