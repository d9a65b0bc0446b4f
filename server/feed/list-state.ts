import { z } from 'zod'
import { problemKindSchema } from '@/lib/contract/feed-status'
import type { Validators } from './response-headers'

const problemSchema = z.object({
  kind: problemKindSchema,
  since: z.number(),
  detail: z.string(),
  /** The list shrank suddenly and is not believed yet. */
  isHeldBack: z.literal(true).optional(),
  /** Without it the fault is the service's. */
  faultySystem: z.literal('database').optional(),
})
export type Problem = z.infer<typeof problemSchema>

/** A list's state without its content, as instances share it: no personal data. Moments are in ms. */
export const sharedStateSchema = z.object({
  /** The version grows with every change of content, across restarts. */
  version: z.int(),
  /** When the last good answer was requested. */
  fetchedAt: z.number().nullable(),
  nextAt: z.number().nullable(),
  problem: problemSchema.nullable(),
  /** How many fetches in a row have failed, and how many of the last ones by 401 or 403 (`refusals`). */
  failures: z.int(),
  refusals: z.int(),
  unreadable: z.int(),
  fetchMs: z.number(),
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
      /** Null if the service answered 304: the content is the same. */
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
  const { kind, detail, isHeldBack, faultySystem } = outcome
  const refusals = kind === 'unauthenticated' || kind === 'unauthorized' ? state.refusals + 1 : 0
  const problem = { kind, detail, since: state.problem?.since ?? now, isHeldBack, faultySystem }
  return { ...state, problem, failures: state.failures + 1, refusals }
}

export function emptyListState<T>(): ListState<T> {
  const emptyFields = { content: null, fetchedAt: null, nextAt: null, problem: null }
  return { ...emptyFields, version: 0, failures: 0, unreadable: 0, fetchMs: 0, refusals: 0 }
}
