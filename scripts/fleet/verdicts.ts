import type { LeadList, LeadStatus } from '@/lib/contract/lead'
import { mostInAny } from '@/scripts/bench/measure'

/** What a person's browser came to with one request; only `ok` is one that nobody noticed. */
export type Outcome =
  | 'ok'
  /** 503 with a time to come back. */
  | 'busy'
  /** 502 or 504: the proxy had an instance that did not answer. */
  | 'gateway'
  /** Nobody listens at the address. */
  | 'refused'
  /** The connection ended before the answer did. */
  | 'cut'
  | 'slow'
  /** Anything else: an error of ours, or a refusal of what the person may do. */
  | 'wrong'

/** One request of one viewer; times in ms since the epoch. `total`: what a list was said to have, of those that answered. */
export type Look = {
  what: 'list' | 'page' | 'decision' | 'note' | 'stream'
  at: number
  until: number
  outcome: Outcome
  /** Of what was not as it should be: status and the beginning of the answer. */
  detail: string
  list?: LeadList
  total?: number
  isBlank?: boolean
}

/** How many leads a list had when the run began, and the moments (ms, ascending) when others came to it. */
export type Arrivals = { atFirst: number; moments: number[] }

/** A request as the service counted it. */
export type Sent = { at: number; status: number | null }

export type Decision = { lead: string; status: LeadStatus; isAnswered: boolean }
export type WrittenNote = { lead: string; text: string; isAnswered: boolean }

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Requests over the limits: refused by the service, or let in by it although a window was full. */
export function violationsOf(sent: readonly Sent[], limits: { perSecond: number; perHour: number }): number {
  const counted = sent.filter(({ status }) => status !== 429).map(({ at }) => at)
  const refused = sent.length - counted.length
  const over = (windowMs: number, most: number) => Math.max(0, mostInAny(counted, windowMs) - most)
  return refused + over(SECOND_MS, limits.perSecond) + over(HOUR_MS, limits.perHour)
}

/** After a quiet hour the first ten minutes may be so much faster (`server/upstream/windows.ts`). */
const HEAD_START = 1.25
/** Three lists at three starts, within a minute. */
const AT_ONCE = 12

/**
 * How many requests more than its pace allows were sent in the worst minute. A run is shorter than an hour, so whoever goes
 * on like this would break the limit of the hour where nobody looks any more.
 */
export function overPace(sent: readonly Sent[], perHour: number): number {
  const allowed = (perHour / 60) * HEAD_START + AT_ONCE
  const most = mostInAny(
    sent.map(({ at }) => at),
    MINUTE_MS,
  )
  return Math.max(0, Math.ceil(most - allowed))
}

/**
 * Leads whose status now is neither the last that was answered nor one that was sent and never answered. Nobody decides
 * about a lead again once an answer stayed away, so nothing else can stand there.
 */
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

/** Notes that were answered and are not there, and notes that are there twice because a request was sent again. */
export function lostNotes(written: readonly WrittenNote[], there: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of there) counts.set(text, (counts.get(text) ?? 0) + 1)
  return written.flatMap(({ text, isAnswered }) => {
    const count = counts.get(text) ?? 0
    if (count > 1) return [`${text}: ${count} times`]
    return isAnswered && count === 0 ? [`${text}: gone`] : []
  })
}

/** How long a lead that is not shown has been there, ms; 0 when all are shown; without end where the first are missing. */
export function stalenessOf(look: { until: number; total: number }, { atFirst, moments }: Arrivals): number {
  if (look.total < atFirst) return Infinity
  const first = moments[look.total - atFirst]
  return first === undefined ? 0 : Math.max(0, look.until - first)
}

export type Freshness = { looks: number; meanMs: number; p95Ms: number; worstMs: number }

/** Of the looks that ended within this time; what was slow to come counts from its end, as for whoever waited for it. */
export function freshnessOf(
  looks: readonly Look[],
  arrivals: Record<LeadList, Arrivals>,
  from: number,
  until: number,
): Freshness {
  const all = looks
    .flatMap(({ list, total, until: end }) =>
      list === undefined || total === undefined || end < from || end > until
        ? []
        : [stalenessOf({ until: end, total }, arrivals[list])],
    )
    .sort((a, b) => a - b)
  return {
    looks: all.length,
    meanMs: all.reduce((sum, ms) => sum + ms, 0) / Math.max(1, all.length),
    p95Ms: all[Math.floor(all.length * 0.95)] ?? Infinity,
    worstMs: all.at(-1) ?? Infinity,
  }
}

/** Telling the others takes a moment, and two processors are shared by all. */
const TELLING_MS = 1_000

/** Whether lists are as fresh as one instance alone keeps them. */
export function isAsFresh(now: Freshness, alone: Freshness): boolean {
  return (
    now.looks > 0 && now.meanMs <= alone.meanMs * 1.25 + TELLING_MS && now.p95Ms <= alone.p95Ms * 1.25 + 2 * TELLING_MS
  )
}

/** Looks that came to something that this part of the run may not come to. */
export function failedLooks(looks: readonly Look[], borne: readonly Outcome[]): Look[] {
  return looks.filter(({ outcome }) => outcome !== 'ok' && !borne.includes(outcome))
}

export function blankLooks(looks: readonly Look[]): Look[] {
  return looks.filter(({ isBlank }) => isBlank === true)
}
