import { z } from 'zod'
import { type ProblemInfo, problemKindSchema, type SnapshotInfo } from '@/lib/contract/feed-status'
import type { Validators } from './response-headers'

const doubtSchema = z.object({
  before: z.int(),
  now: z.int(),
  digest: z.string(),
  /** So many answers in a row have lacked the same, for `lastedMs`. */
  answers: z.int(),
  lastedMs: z.number(),
})

export type Doubt = z.infer<typeof doubtSchema>

const problemSchema = z.object({
  kind: problemKindSchema,
  since: z.number(),
  detail: z.string(),
  /** The answer came but is not believed. */
  doubt: doubtSchema.optional(),
  faultySystem: z.literal('database').optional(),
})
export type Problem = z.infer<typeof problemSchema>

/** A list's state without its content, as instances share it: no personal data. Moments are in ms. */
export const sharedStateSchema = z.object({
  /** It grows with every change of content, across restarts. */
  version: z.int(),
  /** The last good answer was requested then; leads that came later may be missing. */
  fetchedAt: z.number().nullable(),
  nextAt: z.number().nullable(),
  problem: problemSchema.nullable(),
  failures: z.int(),
  unreadable: z.int(),
  fetchMs: z.number(),
  /** So many answers in a row were 401 or 403. */
  refusals: z.int(),
})

export type ListState<T> = Readonly<z.infer<typeof sharedStateSchema>> & { readonly content: T | null }

export type ChangedLeads = { readonly ids: readonly string[]; readonly schools: ReadonlySet<string> }

/** After `no-budget` nothing was sent, and the budget has no place before `retryAt`. */
export type FetchOutcome<T> =
  | {
      kind: 'fetched'
      content: T
      isChanged: boolean
      changedLeads?: ChangedLeads | undefined
      unreadable: number
      /** It is null when the service answered 304. */
      body: Uint8Array | null
      validators: Validators
      askedAt: number
    }
  | { kind: 'no-budget'; retryAt: number }
  | (Omit<Problem, 'since'> & { retryAfterMs: number | null })

/** A longer wait for the budget is shown as a problem; without any content that is sooner. */
const LONG_WAIT_MS = 60_000
const LONG_FIRST_WAIT_MS = 5_000

export function applyOutcome<T>(state: ListState<T>, outcome: FetchOutcome<T>, now: number): ListState<T> {
  if (outcome.kind === 'fetched') {
    const { content, unreadable, isChanged, askedAt: fetchedAt } = outcome
    const version = isChanged ? Math.max(state.version + 1, now) : state.version
    const fetchMs = now - fetchedAt
    return { ...state, content, unreadable, version, fetchedAt, fetchMs, problem: null, failures: 0, refusals: 0 }
  }
  if (outcome.kind === 'no-budget') {
    const isLong = outcome.retryAt - now > (state.content === null ? LONG_FIRST_WAIT_MS : LONG_WAIT_MS)
    const budgetProblem = { kind: 'rate-limited' as const, detail: 'nothing may be sent for now', since: now }
    return { ...state, problem: state.problem ?? (isLong ? budgetProblem : null) }
  }
  const { kind, detail, doubt, faultySystem } = outcome
  const refusals = kind === 'unauthenticated' || kind === 'unauthorized' ? state.refusals + 1 : 0
  const problem = { kind, detail, since: state.problem?.since ?? now, doubt, faultySystem }
  return { ...state, problem, failures: state.failures + 1, refusals }
}

export function emptyListState<T>(): ListState<T> {
  const unknown = { content: null, fetchedAt: null, nextAt: null, problem: null }
  return { ...unknown, version: 0, failures: 0, unreadable: 0, fetchMs: 0, refusals: 0 }
}

export function toSnapshotInfo(state: ListState<unknown>): SnapshotInfo | null {
  const { content, fetchedAt, nextAt, problem, version, unreadable } = state
  if (content === null || fetchedAt === null) return null
  return {
    fetchedAt: toIso(fetchedAt),
    nextAt: toIso(nextAt),
    stale: problem !== null,
    problem: problem && toProblemInfo(problem),
    version,
    unreadable,
  }
}

/** Leaves out a doubt's counts and the detail, which concern all schools and are for administrators only. */
export function toProblemInfo({ kind, since, doubt, faultySystem }: Problem): ProblemInfo {
  const doubted = doubt && { isHeldBack: true as const }
  return { kind, since: toIso(since), ...doubted, ...(faultySystem && { at: faultySystem }) }
}

export function toIso(ms: number): string
export function toIso(ms: number | null): string | null
export function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
