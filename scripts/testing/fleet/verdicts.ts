import type { LeadStatus } from '@/lib/contract/lead'
import { maxInWindow } from '@/scripts/bench/measure'

/** `ok` is unnoticed; busy: 503 with Retry-After; gateway: 502 or 504 of the proxy; wrong: anything else. */
export type Outcome = 'ok' | 'busy' | 'gateway' | 'refused' | 'cut' | 'slow' | 'wrong'

/** A viewer's request; times in ms since the epoch. */
export type Look = {
  what: 'list' | 'page' | 'decision' | 'stream'
  at: number
  until: number
  outcome: Outcome
  detail: string
  isBlank?: boolean
}

export type SentRequest = { at: number; status: number | null }

export type Decision = { lead: string; status: LeadStatus; isAnswered: boolean }

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000

export function violationsOf(sent: readonly SentRequest[], limits: { perSecond: number; perHour: number }): number {
  const counted = sent.filter(({ status }) => status !== 429).map(({ at }) => at)
  const refused = sent.length - counted.length
  const over = (windowMs: number, max: number) => Math.max(0, maxInWindow(counted, windowMs) - max)
  return refused + over(SECOND_MS, limits.perSecond) + over(HOUR_MS, limits.perHour)
}

/** Leads whose status is neither the last that was answered nor a later one without an answer. */
export function lostDecisions(decisions: readonly Decision[], now: ReadonlyMap<string, LeadStatus>): string[] {
  const possible = new Map<string, LeadStatus[]>()
  for (const { lead, status, isAnswered } of decisions) {
    possible.set(lead, isAnswered ? [status] : [...(possible.get(lead) ?? ['new' as const]), status])
  }
  return [...possible].flatMap(([lead, all]) => {
    const status = now.get(lead)
    return status !== undefined && all.includes(status) ? [] : [`${lead}: ${status}, not ${all.join(' or ')}`]
  })
}

export function createReport() {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const began = Date.now()
  const line = (text: string) => console.log(`${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s  ${text}`)
  return {
    counts,
    say: line,
    verdict(name: string, faults: readonly string[], detail = ''): void {
      counts[faults.length === 0 ? 'passed' : 'failed'] += 1
      line(`${faults.length === 0 ? '✓' : '✗'} ${name}${detail === '' ? '' : ` (${detail})`}`)
      for (const fault of faults.slice(0, SHOWN)) line(`    ${fault}`)
      if (faults.length > SHOWN) line(`    and ${faults.length - SHOWN} more`)
    },
    /** What cannot be tried here; a failure under CI. */
    skip(name: string, why: string): void {
      if (process.env.CI === 'true') return this.verdict(name, [why])
      counts.skipped += 1
      line(`- ${name}: skipped, ${why}`)
    },
  }
}

const SHOWN = 8

export function describeLook({ what, at, until, outcome, detail }: Look): string {
  return `${what} ${outcome} after ${((until - at) / 1000).toFixed(1)} s at ${new Date(at).toISOString().slice(11, 23)}: ${detail}`
}
