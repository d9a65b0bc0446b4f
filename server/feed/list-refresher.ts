import 'server-only'
import type { ProblemKind, SnapshotInfo } from '@/lib/contract/feed-status'

export type ListRefresher<T> = {
  state: () => ListState<T>
  /** Fetches now unless a fetch is under way; resolves when that one ends. */
  refresh: () => Promise<void>
  /** Takes over what another instance has published; if that is nothing new the plan stays as it was. */
  takeOver: () => void
  /** Fetches at once if by the current interval it is time, and otherwise when it will be. */
  reconsider: () => void
  stop: () => void
}

type ListRefresherOptions<T> = {
  /** Sends at most one request. Never throws. */
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
}

/** The leads that came, went or changed, and the schools that they belong to. */
export type Touched = { readonly ids: readonly string[]; readonly schools: ReadonlySet<string> }

/** However the clocks stand, a retry is never a busy loop. */
const LEAST_WAIT_MS = 50

/** What is told of a fetch that is slow, and what calls the telling off. */
type Waiting = { problem: Problem; cancel: () => void }

const SLOW_MS = 10_000
const SLOWEST_MS = 30_000

/** A fetch is slow when it lasts twice as long as the last good one, not before ten seconds nor after thirty. */
function slowAfterMs(lastMs: number): number {
  return Math.min(SLOWEST_MS, Math.max(SLOW_MS, 2 * lastMs))
}

/** Timers fire late and a place in the budget takes a moment: by less than this it must not add up. */
const LATE_MS = 1_000

/** From when the next interval counts. */
function countedFrom(dueAt: number | null, askedAt: number): number {
  return dueAt !== null && dueAt <= askedAt && askedAt - dueAt < LATE_MS ? dueAt : askedAt
}

/** Keeps one list: single-flight, the last good content through every failure, the next fetch always planned. */
export function createListRefresher<T>(options: ListRefresherOptions<T>): ListRefresher<T> {
  let state = emptyListState<T>()
  let inFlight: Promise<void> | null = null
  let cancel = () => {}
  let stopped = false
  let waiting: Waiting | null = null

  function plan(at: number): void {
    cancel()
    state = { ...state, nextAt: at }
    if (!stopped) cancel = options.schedule(Math.max(0, at - options.now()), () => void refresh())
  }

  /** From when a fetch is due until its outcome, whoever sends it: that it is slow is told while it lasts. */
  function beginWaiting(): Waiting {
    const since = Math.min(options.now(), state.nextAt ?? Infinity)
    const problem: Problem = { kind: 'unavailable', detail: 'the answer is slow to come', since }
    const tell = () => {
      state = { ...state, problem: state.problem ?? problem, nextAt: inFlight ? null : state.nextAt }
      options.onChange(state, false, null)
    }
    return { problem, cancel: options.schedule(slowAfterMs(state.fetchMs), tell) }
  }

  function endWaiting(): void {
    waiting?.cancel()
    waiting = null
  }

  function delay(outcome: Delayed, isWaitedFor: boolean): void {
    const now = options.now()
    const { problem } = state
    if (!isWaitedFor) {
      if (problem === waiting?.problem) state = { ...state, problem: null }
      endWaiting()
    }
    const retryAt = Math.max(outcome.retryAt ?? state.nextAt ?? now, now + LEAST_WAIT_MS)
    state = afterDelay(state, retryAt, now)
    plan(retryAt)
    if (state.problem !== problem) options.onChange(state, false, null)
  }

  async function fetchOnce(reason: FetchReason): Promise<void> {
    cancel()
    const { version, nextAt } = state
    const startedAt = options.now()
    if (reason === 'due') waiting ??= beginWaiting()
    const outcome = await options.fetch(state.content, reason)
    if (outcome.kind === 'later') return delay(outcome, reason === 'published' || outcome.isUnderWay === true)
    endWaiting()
    const now = options.now()
    if (outcome.kind === 'fetched') {
      const stamp = outcome.stamp ?? newStamp(state, outcome, startedAt, now)
      state = afterSuccess(state, outcome, stamp)
      plan(Math.max(now, countedFrom(nextAt, Math.min(stamp.startedAt, now)) + options.intervalMs(state)))
    } else {
      state = afterFailure(state, outcome, startedAt, now)
      plan(now + retryDelay(outcome.kind, outcome.retryAfterMs, state.failures, options.random()))
    }
    const touched = outcome.kind === 'fetched' ? (outcome.touched ?? null) : null
    options.onChange(state, state.version !== version, touched)
  }

  function refresh(reason: FetchReason = 'due'): Promise<void> {
    if (stopped) return Promise.resolve()
    inFlight ??= fetchOnce(reason).finally(() => (inFlight = null))
    return inFlight
  }

  return {
    state: () => state,
    refresh: () => refresh(),
    takeOver: () => void (inFlight === null && state.nextAt !== null && refresh('published')),
    reconsider: () => {
      if (inFlight || state.problem || state.fetchedAt === null || state.nextAt === null) return
      plan(Math.min(state.nextAt, state.fetchedAt + options.intervalMs(state)))
    },
    stop: () => {
      stopped = true
      cancel()
      endWaiting()
    },
  }
}

/** Why the last fetch failed, and since when (ms) nothing has succeeded. `detail` is for administrators. */
type Problem = { kind: ProblemKind; since: number; detail: string }

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
  | { kind: Problem['kind']; detail: string; retryAfterMs: number | null }

/** Why a list is fetched. `published`: not yet due, but another instance has published something about it. */
export type FetchReason = 'due' | 'published'

/** Waiting longer than this for a place in the budget is a problem to show. */
const LONG_WAIT_MS = 60_000

function afterDelay<T>(state: ListState<T>, retryAt: number, now: number): ListState<T> {
  if (retryAt - now <= LONG_WAIT_MS || state.problem !== null) return state
  return { ...state, problem: { kind: 'rate-limited', detail: 'nothing may be sent for now', since: now } }
}

type Fetched<T> = Extract<FetchOutcome<T>, { kind: 'fetched' }>
type Delayed = Extract<FetchOutcome<never>, { kind: 'later' }>
type Failed = Exclude<FetchOutcome<never>, { kind: 'fetched' | 'later' }>

function newStamp({ version }: ListState<unknown>, outcome: Fetched<unknown>, startedAt: number, now: number): Stamp {
  const { changed, askedAt = startedAt } = outcome
  return { version: changed ? Math.max(version + 1, now) : version, startedAt: askedAt, fetchedAt: now }
}

function afterSuccess<T>(state: ListState<T>, outcome: Fetched<T>, stamp: Stamp): ListState<T> {
  const { content, unreadable } = outcome
  const { version, startedAt, fetchedAt } = stamp
  const history = withRecord(state, fetchRecord(outcome, startedAt, fetchedAt))
  const fetchMs = fetchedAt - startedAt
  return { ...state, content, unreadable, version, fetchedAt: startedAt, fetchMs, problem: null, failures: 0, history }
}

function afterFailure<T>(state: ListState<T>, outcome: Failed, startedAt: number, now: number): ListState<T> {
  const { kind, detail } = outcome
  const since = state.problem?.since ?? now
  const history = withRecord(state, fetchRecord(outcome, startedAt, now))
  return { ...state, problem: { kind, detail, since }, failures: state.failures + 1, history }
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

const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 60_000
/** Asking again does not mend a refused token; once in five minutes finds out whether somebody did. */
const REFUSED_RETRY_MS = 300_000
const LIMITED_RETRY_MS = 60_000

/** The wait after the nth failure in a row, ms: doubling, with jitter so that no herd forms after an outage. */
export function retryDelay(
  kind: Problem['kind'],
  retryAfterMs: number | null,
  failures: number,
  random: number,
): number {
  const jitter = 1 + random / 4
  switch (kind) {
    case 'unauthenticated':
    case 'unauthorized':
      return REFUSED_RETRY_MS * jitter
    case 'rate-limited':
      return (retryAfterMs ?? LIMITED_RETRY_MS) * jitter
    case 'unavailable':
    case 'unreadable':
      return Math.max(retryAfterMs ?? 0, Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1)) * jitter)
    default:
      return kind satisfies never
  }
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
    problem: state.problem && { kind: state.problem.kind, since: iso(state.problem.since) },
    version: state.version,
    unreadable: state.unreadable,
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
