import 'server-only'
import type { ProblemInfo, ProblemKind, ProblemPlace, SnapshotInfo } from '@/lib/contract/feed-status'
import type { Validators } from '@/server/upstream/outcome'
import type { Doubt } from './shrink-guard'

/**
 * Why the last fetch failed or has no outcome yet, and since when (ms). `detail` is for administrators; `doubt`: there was
 * an answer, which is not believed.
 */
export type Problem = {
  kind: ProblemKind
  since: number
  detail: string
  doubt?: Doubt | undefined
  at?: ProblemPlace | undefined
  /** At 'intag': the innermost places of the stack. */
  stoodAt?: string | undefined
}

/** One fetch, for the status page: no body, no personal data. */
export type FetchRecord = {
  at: number
  durationMs: number
  bytes: number
  outcome: 'ok' | 'not-modified' | ProblemKind
  detail: string
}

/** Everything known about one of the service's lists. Replaced, never changed; times are ms since the epoch. */
export type ListState<T> = {
  readonly content: T | null
  /** Grows with every change of content, also over restarts. */
  readonly version: number
  /** When the service was asked for the last good answer: what came to it later may be missing. */
  readonly fetchedAt: number | null
  readonly nextAt: number | null
  readonly problem: Problem | null
  /** Fetches that failed since the last good one. */
  readonly failures: number
  readonly unreadable: number
  /** How long the last good fetch took. */
  readonly fetchMs: number
  /** Newest first. */
  readonly history: readonly FetchRecord[]
}

/** The leads that came, went or changed, and the schools that they belong to. */
export type Touched = { readonly ids: readonly string[]; readonly schools: ReadonlySet<string> }

/** What asking for a list came to. `later`: there was no place in the budget; one is free at `retryAt`. */
export type FetchOutcome<T> =
  | {
      kind: 'fetched'
      content: T
      changed: boolean
      /** Against the content before; absent where that is not known, so that everything may be different. */
      touched?: Touched | undefined
      unreadable: number
      /** Of the body, 0 when it was not sent again, which is `null` then. */
      bytes: number
      body: Uint8Array | null
      validators: Validators
      /** When the service was asked. */
      askedAt: number
    }
  | { kind: 'later'; retryAt: number }
  /** `since`: when it began (ms), where that is not just now. */
  | (Omit<Problem, 'since'> & { retryAfterMs: number | null; since?: number | undefined })

type Fetched<T> = Extract<FetchOutcome<T>, { kind: 'fetched' }>
type Failed = Exclude<FetchOutcome<never>, { kind: 'fetched' | 'later' }>

/** Waiting longer than this for a place in the budget is a problem to show; much sooner while there is nothing else to show. */
const LONG_WAIT_MS = 60_000
const LONG_FIRST_WAIT_MS = 5_000

/** The state after a fetch that ended `now`. */
export function afterOutcome<T>(state: ListState<T>, outcome: FetchOutcome<T>, startedAt: number, now: number) {
  if (outcome.kind === 'fetched') return afterSuccess(state, outcome, now)
  return outcome.kind === 'later'
    ? afterWait(state, outcome.retryAt, now)
    : afterFailure(state, outcome, startedAt, now)
}

function afterWait<T>(state: ListState<T>, retryAt: number, now: number): ListState<T> {
  const isLong = retryAt - now > (state.content === null ? LONG_FIRST_WAIT_MS : LONG_WAIT_MS)
  const limited = { kind: 'rate-limited' as const, detail: 'nothing may be sent for now', since: now }
  return { ...state, problem: state.problem ?? (isLong ? limited : null) }
}

function afterSuccess<T>(state: ListState<T>, outcome: Fetched<T>, now: number): ListState<T> {
  const { content, unreadable, changed, askedAt } = outcome
  const version = changed ? Math.max(state.version + 1, now) : state.version
  const history = withRecord(state, fetchRecord(outcome, askedAt, now))
  const fetchMs = now - askedAt
  return { ...state, content, unreadable, version, fetchedAt: askedAt, fetchMs, problem: null, failures: 0, history }
}

export function afterFailure<T>(state: ListState<T>, outcome: Failed, startedAt: number, now: number): ListState<T> {
  const { kind, detail, doubt, at, stoodAt } = outcome
  const since = outcome.since ?? state.problem?.since ?? now
  const history = withRecord(state, fetchRecord(outcome, startedAt, now))
  const problem = { kind, detail, since, doubt, at, stoodAt }
  return { ...state, problem, failures: state.failures + 1, history }
}

const HISTORY = 60

function withRecord(state: ListState<unknown>, record: FetchRecord): readonly FetchRecord[] {
  return [record, ...state.history].slice(0, HISTORY)
}

function fetchRecord(outcome: Fetched<unknown> | Failed, at: number, now: number): FetchRecord {
  const durationMs = now - at
  if (outcome.kind !== 'fetched') return { at, durationMs, bytes: 0, outcome: outcome.kind, detail: outcome.detail }
  return { at, durationMs, bytes: outcome.bytes, outcome: outcome.changed ? 'ok' : 'not-modified', detail: '' }
}

export function emptyListState<T>(): ListState<T> {
  return {
    content: null,
    version: 0,
    fetchedAt: null,
    nextAt: null,
    problem: null,
    failures: 0,
    unreadable: 0,
    fetchMs: 0,
    history: [],
  }
}

/** The state as the contract has it; null while there has been no good answer. */
export function snapshotInfo(state: ListState<unknown>): SnapshotInfo | null {
  if (state.content === null || state.fetchedAt === null) return null
  return {
    fetchedAt: iso(state.fetchedAt),
    nextAt: state.nextAt === null ? null : iso(state.nextAt),
    stale: state.problem !== null,
    problem: state.problem && problemInfo(state.problem),
    version: state.version,
    unreadable: state.unreadable,
  }
}

/** As everybody is told of it: how much was sent, of all schools, is for administrators. */
export function problemInfo({ kind, since, doubt, at, stoodAt }: Problem): ProblemInfo {
  const held = doubt && { isHeldBack: true as const }
  return { kind, since: iso(since), ...held, ...(at && { at }), ...(stoodAt && { stoodAt }) }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

/** However the clocks stand, a retry is never a busy loop. */
const LEAST_WAIT_MS = 50
/** Timers fire late and a place in the budget takes a moment: by less than this it must not add up. */
const LATE_MS = 1_000

/** When to fetch again after this outcome of a fetch that was due at `dueAt`; `random` is a number in [0, 1). */
export function nextAfter<T>(
  outcome: FetchOutcome<T>,
  state: ListState<T>,
  dueAt: number | null,
  options: { now: number; intervalMs: (state: ListState<T>) => number; random: number },
): number {
  const { now, intervalMs, random } = options
  if (outcome.kind === 'later') return Math.max(outcome.retryAt, now + LEAST_WAIT_MS)
  if (outcome.kind === 'fetched') {
    const askedAt = Math.min(outcome.askedAt, now)
    const isInTime = dueAt !== null && dueAt <= askedAt && askedAt - dueAt < LATE_MS
    return Math.max(now, (isInTime ? dueAt : askedAt) + intervalMs(state))
  }
  const inARow = isRefusal(outcome.kind) ? refusalsInARow(state) : state.failures
  return now + retryDelay(outcome.kind, outcome.retryAfterMs, inARow, random)
}

function isRefusal(kind: FetchRecord['outcome']): boolean {
  return kind === 'unauthenticated' || kind === 'unauthorized'
}

/** An outage before them says nothing of the token. */
function refusalsInARow({ history }: ListState<unknown>): number {
  const other = history.findIndex(({ outcome }) => !isRefusal(outcome))
  return other === -1 ? history.length : other
}

const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 60_000
/** A refusal may be a blip of the service; if it lasts, once in five minutes finds out whether somebody mended the token. */
const REFUSED_RETRIES_MS = [30_000, 60_000, 120_000, 300_000]
const LIMITED_RETRY_MS = 60_000

/** The wait after the nth failure (or refusal) in a row, ms: doubling, with jitter so that no herd forms after an outage. */
export function retryDelay(kind: ProblemKind, retryAfterMs: number | null, failures: number, random: number): number {
  const jitter = 1 + random / 4
  switch (kind) {
    case 'unauthenticated':
    case 'unauthorized':
      return (REFUSED_RETRIES_MS[Math.min(failures, REFUSED_RETRIES_MS.length) - 1] ?? 0) * jitter
    case 'rate-limited':
      return (retryAfterMs ?? LIMITED_RETRY_MS) * jitter
    case 'unavailable':
    case 'unreadable':
      return Math.max(retryAfterMs ?? 0, Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1)) * jitter)
    default:
      return kind satisfies never
  }
}
