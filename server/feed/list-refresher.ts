import 'server-only'
import type { ProblemInfo, ProblemKind, ProblemPlace, SnapshotInfo } from '@/lib/contract/feed-status'
import { createAlarm } from './alarm'
import { retryDelay } from './retry-delay'
import type { Doubt } from './shrink-guard'
import { createSlowWatch } from './slow-watch'

export type ListRefresher<T> = {
  state: () => ListState<T>
  /** Fetches now unless a fetch is under way; resolves when that one ends. */
  refresh: () => Promise<void>
  /** Fetches now, after what is under way. */
  fetchNow: () => Promise<void>
  /** Takes over what another instance has published; if that is nothing new the plan stays as it was. */
  takeOver: () => void
  /** Fetches at once if by the current interval it is time, and otherwise when it will be. */
  reconsider: () => void
  stop: () => void
}

type ListRefresherOptions<T> = {
  /** Sends at most one request. */
  fetch: (current: T | null, reason: FetchReason) => Promise<FetchOutcome<T>>
  /** From one request to the next, ms, after a good answer. */
  intervalMs: (state: ListState<T>) => number
  now: () => number
  /** Calls back once after `delayMs`; answers what cancels it. */
  schedule: (delayMs: number, run: () => void) => () => void
  /** A number in [0, 1): keeps instances from retrying in step. */
  random: () => number
  /** After each fetch, good or bad; `isNew` when the content has another version now, and what is other in it. */
  onChange: (state: ListState<T>, isNew: boolean, touched: Touched | null) => void
  /** Of what nobody foresaw; the list goes on all the same. */
  onError: (error: unknown) => void
}

/** The leads that came, went or changed, and the schools that they belong to. */
export type Touched = { readonly ids: readonly string[]; readonly schools: ReadonlySet<string> }

/** However the clocks stand, a retry is never a busy loop. */
const LEAST_WAIT_MS = 50

/** Keeps one list: single-flight, the last good content through every failure, the next fetch always planned. */
export function createListRefresher<T>(options: ListRefresherOptions<T>): ListRefresher<T> {
  let state = emptyListState<T>()
  let inFlight: Promise<void> | null = null
  let stopped = false
  const alarm = createAlarm(options)
  const slow = createSlowWatch(options, (problem) => {
    state = { ...state, problem: state.problem ?? problem, nextAt: inFlight ? null : state.nextAt }
    tell(options, state, false, null)
  })

  function plan(at: number): void {
    state = { ...state, nextAt: at }
    if (!stopped) alarm.set(at, () => void refresh())
  }

  async function fetchOnce(reason: FetchReason): Promise<void> {
    const { version, nextAt: dueAt } = state
    const startedAt = options.now()
    if (reason === 'due') alarm.clear()
    if (reason === 'due') slow.begin(dueAt, state.fetchMs)
    const outcome = await fetchSafely(options, state.content, reason)
    const { problem } = state
    const slowness = isStillUnderWay(outcome, reason) ? null : slow.end()
    state = afterOutcome(state, outcome, { startedAt, now: options.now(), slowness })
    // What is only not new moves no plan: counted anew by a clock that was set back, it would be minutes away.
    const isNothing = reason === 'published' && outcome.kind === 'later' && outcome.retryAt === null
    if (isNothing && alarm.isSet()) state = { ...state, nextAt: dueAt }
    else plan(isNothing ? options.now() + LEAST_WAIT_MS : nextSafely(outcome, state, dueAt, options))
    if (outcome.kind === 'later' && state.problem === problem) return
    const touched = outcome.kind === 'fetched' ? (outcome.touched ?? null) : null
    tell(options, state, state.version !== version, touched)
  }

  function refresh(reason: FetchReason = 'due'): Promise<void> {
    if (stopped) return Promise.resolve()
    inFlight ??= fetchOnce(reason).finally(() => (inFlight = null))
    return inFlight
  }

  return {
    state: () => state,
    refresh: () => refresh(),
    fetchNow: async () => (await inFlight, refresh()),
    takeOver: () => void (inFlight === null && state.nextAt !== null && refresh('published')),
    reconsider: () => {
      if (inFlight || state.problem || state.fetchedAt === null || state.nextAt === null) return
      plan(Math.min(state.nextAt, Math.min(state.fetchedAt, options.now()) + options.intervalMs(state)))
    },
    stop: () => {
      stopped = true
      alarm.clear()
      slow.end()
    },
  }
}

function isStillUnderWay(outcome: FetchOutcome<unknown>, reason: FetchReason): boolean {
  return outcome.kind === 'later' && (reason === 'published' || outcome.isUnderWay === true)
}

async function fetchSafely<T>(
  { fetch, onError }: ListRefresherOptions<T>,
  content: T | null,
  reason: FetchReason,
): Promise<FetchOutcome<T>> {
  try {
    return await fetch(content, reason)
  } catch (error) {
    onError(error)
    return { kind: 'unavailable', detail: 'an error within Intag', retryAfterMs: null }
  }
}

function tell<T>(
  { onChange, onError }: ListRefresherOptions<T>,
  state: ListState<T>,
  isNew: boolean,
  touched: Touched | null,
): void {
  try {
    onChange(state, isNew, touched)
  } catch (error) {
    onError(error)
  }
}

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

/** When an answer was asked for and was there, by whichever instance, and the version that its content has on all of them. */
type Stamp = { version: number; startedAt: number; fetchedAt: number }

/** What one fetch of a list came to. `later`: nothing was sent; try again at `retryAt` (null: as planned). */
export type FetchOutcome<T> =
  | {
      kind: 'fetched'
      content: T
      changed: boolean
      /** Against the content before; absent where that is not known, so that everything may be other. */
      touched?: Touched | undefined
      unreadable: number
      bytes: number
      /** When the service was asked; absent: when the fetch began. */
      askedAt?: number
      stamp?: Stamp
    }
  /** `isUnderWay`: somebody else is asking the service just now. */
  | { kind: 'later'; retryAt: number | null; isUnderWay?: boolean }
  /** `since`: when it began (ms), where that is not just now. */
  | (Omit<Problem, 'since'> & { retryAfterMs: number | null; since?: number | undefined })

/** Why a list is fetched. `published`: not yet due, but another instance has published something about it. */
export type FetchReason = 'due' | 'published'

/** Waiting longer than this for a place in the budget is a problem to show. */
const LONG_WAIT_MS = 60_000
/** And much sooner while there is nothing to show meanwhile. */
const LONG_FIRST_WAIT_MS = 5_000

type Fetched<T> = Extract<FetchOutcome<T>, { kind: 'fetched' }>
type Delayed = Extract<FetchOutcome<never>, { kind: 'later' }>
type Failed = Exclude<FetchOutcome<never>, { kind: 'fetched' | 'later' }>

function newStamp({ version }: ListState<unknown>, outcome: Fetched<unknown>, startedAt: number, now: number): Stamp {
  const { changed, askedAt = startedAt } = outcome
  return { version: changed ? Math.max(version + 1, now) : version, startedAt: askedAt, fetchedAt: now }
}

/** `slowness`: the problem that was told because the fetch lasted, if it was. */
type Course = { startedAt: number; now: number; slowness: Problem | null }

function afterOutcome<T>(state: ListState<T>, outcome: FetchOutcome<T>, course: Course): ListState<T> {
  const { startedAt, now, slowness } = course
  if (outcome.kind === 'later') return afterDelay(state, outcome, slowness, now)
  if (outcome.kind !== 'fetched') return afterFailure(state, outcome, startedAt, now)
  return afterSuccess(state, outcome, outcome.stamp ?? newStamp(state, outcome, startedAt, now))
}

/** Whatever goes wrong in saying when: there is always a next time. */
const FALLBACK_MS = 60_000

function nextSafely<T>(...parts: Parameters<typeof nextAfter<T>>): number {
  const { now, onError } = parts[3]
  try {
    const at = nextAfter(...parts)
    if (Number.isFinite(at)) return at
    throw new RangeError('no moment to fetch at')
  } catch (error) {
    onError(error)
    return now() + FALLBACK_MS
  }
}

/** When to fetch again after this outcome of a fetch that was due at `dueAt`. */
function nextAfter<T>(
  outcome: FetchOutcome<T>,
  state: ListState<T>,
  dueAt: number | null,
  options: ListRefresherOptions<T>,
): number {
  const now = options.now()
  if (outcome.kind === 'later') return retryAfter(outcome, state, now)
  if (outcome.kind === 'fetched') {
    return Math.max(now, countedFrom(dueAt, Math.min(state.fetchedAt ?? now, now)) + options.intervalMs(state))
  }
  const inARow = isRefusal(outcome.kind) ? refusalsInARow(state) : state.failures
  return now + retryDelay(outcome.kind, outcome.retryAfterMs, inARow, options.random())
}

function isRefusal(kind: FetchRecord['outcome']): boolean {
  return kind === 'unauthenticated' || kind === 'unauthorized'
}

/** An outage before them says nothing of the token. */
function refusalsInARow({ history }: ListState<unknown>): number {
  const other = history.findIndex(({ outcome }) => !isRefusal(outcome))
  return other === -1 ? history.length : other
}

function retryAfter({ retryAt }: Delayed, { nextAt }: ListState<unknown>, now: number): number {
  return Math.max(retryAt ?? nextAt ?? now, now + LEAST_WAIT_MS)
}

function afterDelay<T>(state: ListState<T>, outcome: Delayed, slowness: Problem | null, now: number): ListState<T> {
  const problem = state.problem === slowness ? null : state.problem
  // Without a time nothing waits: there was only nothing new to take over, and the plan is as it was.
  const longMs = state.content === null ? LONG_FIRST_WAIT_MS : LONG_WAIT_MS
  const isLong = outcome.retryAt !== null && outcome.retryAt - now > longMs
  const limited = { kind: 'rate-limited' as const, detail: 'nothing may be sent for now', since: now }
  return { ...state, problem: problem ?? (isLong ? limited : null) }
}

function afterSuccess<T>(state: ListState<T>, outcome: Fetched<T>, stamp: Stamp): ListState<T> {
  const { content, unreadable } = outcome
  const { version, startedAt, fetchedAt } = stamp
  const history = withRecord(state, fetchRecord(outcome, startedAt, fetchedAt))
  const fetchMs = fetchedAt - startedAt
  return { ...state, content, unreadable, version, fetchedAt: startedAt, fetchMs, problem: null, failures: 0, history }
}

function afterFailure<T>(state: ListState<T>, outcome: Failed, startedAt: number, now: number): ListState<T> {
  const { kind, detail, doubt, at, stoodAt } = outcome
  const since = outcome.since ?? state.problem?.since ?? now
  const history = withRecord(state, fetchRecord(outcome, startedAt, now))
  const problem = { kind, detail, since, doubt, at, stoodAt }
  return { ...state, problem, failures: state.failures + 1, history }
}

/** Timers fire late and a place in the budget takes a moment: by less than this it must not add up. */
const LATE_MS = 1_000

/** From when the next interval counts. */
function countedFrom(dueAt: number | null, askedAt: number): number {
  return dueAt !== null && dueAt <= askedAt && askedAt - dueAt < LATE_MS ? dueAt : askedAt
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
