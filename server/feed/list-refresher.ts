import 'server-only'
import type { FetchRecord, ListState, Problem } from './list-state'
import { emptyListState } from './list-state'

/** When the answer came, to whichever instance, and the version that all of them know its content by. */
export type Agreed = { version: number; startedAt: number; fetchedAt: number }

/** What one attempt to fetch a list came to. `later`: nothing was sent; try again at `retryAt` (null: as planned). */
export type Attempt<T> =
  | { kind: 'fetched'; content: T; changed: boolean; unreadable: number; bytes: number; agreed?: Agreed }
  | { kind: 'later'; retryAt: number | null }
  | { kind: Problem['kind']; detail: string; retryAfterMs: number | null }

export type Why = 'due' | 'news'

export type ListRefresherOptions<T> = {
  /** Sends at most one request. Never throws. `news`: it is not time yet, but another instance has told something. */
  attempt: (current: T | null, why: Why) => Promise<Attempt<T>>
  /** The wait after a good answer, ms, from now on. */
  intervalMs: (state: ListState<T>) => number
  now: () => number
  /** Calls back once after `delayMs`; answers what cancels it. */
  schedule: (delayMs: number, run: () => void) => () => void
  /** A number in [0, 1): keeps instances from retrying in step. */
  random: () => number
  /** After each fetch, good or bad; `isNew` when the content has another version now. */
  onChange: (state: ListState<T>, isNew: boolean) => void
}

export type ListRefresher<T> = {
  state: () => ListState<T>
  /** Fetches now unless a fetch is under way; resolves when that one ends. */
  refresh: () => Promise<void>
  /** Takes over what another instance has told; without news the plan stays as it was. */
  hear: () => void
  /** Fetches at once if by the current interval it is time, and otherwise when it will be. */
  reconsider: () => void
  stop: () => void
}

const HISTORY = 60
/** However the clocks stand, a retry is never a busy loop. */
const LEAST_WAIT_MS = 50
/** Whoever waits so long for a place in the budget does not just wait for the next interval. */
const LONG_WAIT_MS = 60_000
const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 60_000
/** A refused token is not mended by asking again; once in a while is enough to notice that it was. */
const REFUSED_RETRY_MS = 300_000
const LIMITED_RETRY_MS = 60_000

/** Keeps one list: single-flight, the last good content through every failure, the next fetch always planned. */
export function createListRefresher<T>(options: ListRefresherOptions<T>): ListRefresher<T> {
  let state = emptyListState<T>()
  let inFlight: Promise<void> | null = null
  let cancel = () => {}
  let stopped = false

  function plan(at: number): void {
    cancel()
    state = { ...state, nextAt: at }
    if (!stopped) cancel = options.schedule(Math.max(0, at - options.now()), () => void refresh())
  }

  async function attemptOnce(why: Why): Promise<void> {
    cancel()
    const { version } = state
    const startedAt = options.now()
    const attempt = await options.attempt(state.content, why)
    const now = options.now()
    if (attempt.kind === 'later') {
      const retryAt = Math.max(attempt.retryAt ?? state.nextAt ?? now, now + LEAST_WAIT_MS)
      state = afterDelay(state, retryAt, now)
      return plan(retryAt)
    }
    if (attempt.kind === 'fetched') {
      state = afterSuccess(state, attempt, attempt.agreed ?? agreedAlone(state, attempt.changed, startedAt, now))
      plan(Math.min(state.fetchedAt ?? now, now) + options.intervalMs(state))
    } else {
      state = afterFailure(state, attempt, startedAt, now)
      plan(now + retryDelay(attempt.kind, attempt.retryAfterMs, state.failures, options.random()))
    }
    options.onChange(state, state.version !== version)
  }

  function refresh(why: Why = 'due'): Promise<void> {
    if (stopped) return Promise.resolve()
    inFlight ??= attemptOnce(why).finally(() => (inFlight = null))
    return inFlight
  }

  return {
    state: () => state,
    refresh: () => refresh(),
    hear: () => void (inFlight === null && state.nextAt !== null && refresh('news')),
    reconsider: () => {
      if (inFlight || state.problem || state.fetchedAt === null || state.nextAt === null) return
      plan(Math.min(state.nextAt, state.fetchedAt + options.intervalMs(state)))
    },
    stop: () => {
      stopped = true
      cancel()
    },
  }
}

function afterDelay<T>(state: ListState<T>, retryAt: number, now: number): ListState<T> {
  if (retryAt - now <= LONG_WAIT_MS || state.problem !== null) return state
  return { ...state, problem: { kind: 'rate-limited', detail: 'nothing may be sent for now', since: now } }
}

type Fetched<T> = Extract<Attempt<T>, { kind: 'fetched' }>
type Failed = Exclude<Attempt<never>, { kind: 'fetched' | 'later' }>

function agreedAlone(state: ListState<unknown>, changed: boolean, startedAt: number, now: number): Agreed {
  return { version: changed ? Math.max(state.version + 1, now) : state.version, startedAt, fetchedAt: now }
}

function afterSuccess<T>(state: ListState<T>, attempt: Fetched<T>, agreed: Agreed): ListState<T> {
  const { content, unreadable } = attempt
  const { version, startedAt, fetchedAt } = agreed
  const history = remembered(state, fetchRecord(attempt, startedAt, fetchedAt))
  const fetchMs = fetchedAt - startedAt
  return { ...state, content, unreadable, version, fetchedAt, fetchMs, problem: null, failures: 0, history }
}

function afterFailure<T>(state: ListState<T>, attempt: Failed, startedAt: number, now: number): ListState<T> {
  const { kind, detail } = attempt
  const since = state.problem?.since ?? now
  const history = remembered(state, fetchRecord(attempt, startedAt, now))
  return { ...state, problem: { kind, detail, since }, failures: state.failures + 1, history }
}

function remembered(state: ListState<unknown>, record: FetchRecord): readonly FetchRecord[] {
  return [record, ...state.history].slice(0, HISTORY)
}

function fetchRecord(attempt: Fetched<unknown> | Failed, at: number, now: number): FetchRecord {
  const durationMs = now - at
  if (attempt.kind !== 'fetched') return { at, durationMs, bytes: 0, outcome: attempt.kind, detail: attempt.detail }
  return { at, durationMs, bytes: attempt.bytes, outcome: attempt.changed ? 'ok' : 'not-modified', detail: '' }
}

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
