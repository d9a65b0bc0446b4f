import { z } from 'zod'
import { problemKindSchema } from '@/lib/contract/feed-status'
import type { Validators } from './response-headers'

const problemSchema = z.object({
  kind: problemKindSchema,
  since: z.number(),
  detail: z.string(),
  /** The list shrank suddenly, so the answer is not believed yet. */
  isHeldBack: z.literal(true).optional(),
  /** Absent when the fault is the service's. */
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
  /** How many fetches in a row have failed. */
  failures: z.int(),
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
      requestedAt: number
    }
  | { kind: 'no-budget'; retryAt: number }
  | (Omit<Problem, 'since'> & { retryAfterMs: number | null })

/** A wait for the budget that is longer than this is shown as a problem. */
const LONG_WAIT_MS = 60_000
/** A list without content is missed sooner. */
const LONG_FIRST_WAIT_MS = 5_000

export function applyOutcome<T>(state: ListState<T>, outcome: FetchOutcome<T>, now: number): ListState<T> {
  if (outcome.kind === 'fetched') {
    const { content, unreadable, isChanged, requestedAt: fetchedAt } = outcome
    const version = isChanged ? Math.max(state.version + 1, now) : state.version
    const fetchMs = now - fetchedAt
    return { ...state, content, unreadable, version, fetchedAt, fetchMs, problem: null, failures: 0 }
  }
  if (outcome.kind === 'no-budget') {
    const isLong = outcome.retryAt - now > (state.content === null ? LONG_FIRST_WAIT_MS : LONG_WAIT_MS)
    const budgetProblem = { kind: 'rate-limited' as const, detail: 'nothing may be sent for now', since: now }
    return { ...state, problem: state.problem ?? (isLong ? budgetProblem : null) }
  }
  const { kind, detail, isHeldBack, faultySystem } = outcome
  const problem = { kind, detail, since: state.problem?.since ?? now, isHeldBack, faultySystem }
  return { ...state, problem, failures: state.failures + 1 }
}

const MIN_WAIT_MS = 50
const FIRST_RETRY_MS = 5_000
const MAX_RETRY_MS = 60_000
/** A refusal may be a blip, so the first retry comes soon; later ones leave time to renew the token. */
const FIRST_REFUSED_RETRY_MS = 20_000
const MAX_REFUSED_RETRY_MS = 300_000
const RATE_LIMITED_RETRY_MS = 60_000

/** Finds when (ms) to fetch again. `random` in [0, 1) puts retries out of step. */
export function findNextFetchAt<T>(
  outcome: FetchOutcome<T>,
  state: ListState<T>,
  { now, getIntervalMs, random }: { now: number; getIntervalMs: (state: ListState<T>) => number; random: number },
): number {
  const jitter = 1 + random / 4
  const backOff = (firstMs: number, maxMs: number) => Math.min(maxMs, firstMs * 2 ** (state.failures - 1)) * jitter
  switch (outcome.kind) {
    case 'no-budget':
      return Math.max(outcome.retryAt, now + MIN_WAIT_MS)
    case 'fetched':
      return Math.max(now, Math.min(now, outcome.requestedAt) + getIntervalMs(state))
    case 'unauthenticated':
    case 'unauthorized':
      return now + backOff(FIRST_REFUSED_RETRY_MS, MAX_REFUSED_RETRY_MS)
    case 'rate-limited':
      return now + (outcome.retryAfterMs ?? RATE_LIMITED_RETRY_MS) * jitter
    case 'unavailable':
    case 'unreadable':
      return now + Math.max(outcome.retryAfterMs ?? 0, backOff(FIRST_RETRY_MS, MAX_RETRY_MS))
    default:
      return outcome satisfies never
  }
}

export function createEmptyListState<T>(): ListState<T> {
  const emptyFields = { content: null, fetchedAt: null, nextAt: null, problem: null }
  return { ...emptyFields, version: 0, failures: 0, unreadable: 0, fetchMs: 0 }
}
