import 'server-only'
import type { Validators } from './client'
import type { ListSource } from './list-source'
import {
  afterOutcome,
  emptyListState,
  type FetchOutcome,
  type ListState,
  nextAfter,
  type Problem,
  type Touched,
} from './list-state'
import { type SharedLists, ShareUnavailableError } from './shared-lists'

export type ListRefresher<T> = ReturnType<typeof createListRefresher<T>>

export type RefresherOptions<T> = {
  source: ListSource<T>
  shared: SharedLists
  intervalMs: (state: ListState<T>) => number
  now: () => number
  schedule: (delayMs: number, run: () => void) => () => void
  random: () => number
  /** After each change of the state; `isNew` when the content has a new version. */
  onChange: (state: ListState<T>, isNew: boolean, touched: Touched | null) => void
  onError: (error: unknown) => void
}

/** Whatever goes wrong, there is always a next turn. */
const FALLBACK_MS = 60_000

/** One fetch at a time, by the leaseholder, which publishes it. A list that cannot be published is withdrawn, so that versions agree. */
export function createListRefresher<T>(options: RefresherOptions<T>) {
  const { shared, now, intervalMs, onError } = options
  const list = createListHolder(options)
  const refreshing = { ...options, list }
  /** The lease under which this instance has caught up with what was published; null while another leads. */
  let caughtUpLease: number | null = null

  async function runOnce(): Promise<number> {
    const lease = await shared.lead()
    const isCaughtUp = lease.token !== null && lease.token === caughtUpLease
    if (!isCaughtUp) await follow(refreshing)
    caughtUpLease = lease.token
    if (lease.token === null) return now() + Math.min(shared.lookAgainMs(), lease.freeInMs)
    const { nextAt } = list.state()
    if (!isCaughtUp && nextAt !== null && nextAt > now()) return nextAt
    if (await fetchAndPublish(refreshing, lease.token)) return list.state().nextAt ?? now() + FALLBACK_MS
    caughtUpLease = null
    return now() + shared.lookAgainMs()
  }

  function afterError(error: unknown): number {
    caughtUpLease = null
    if (!(error instanceof ShareUnavailableError)) {
      onError(error)
      return now() + FALLBACK_MS
    }
    // A problem of ours and not of the service.
    const nextAt = now() + shared.lookAgainMs()
    const detail = `the database: ${error.message}`
    const outage = { kind: 'unavailable' as const, at: 'database' as const, detail, retryAfterMs: null }
    if (list.state().problem?.detail === detail) list.plan(nextAt)
    else list.show({ ...afterOutcome(list.state(), outage, now()), nextAt })
    return nextAt
  }

  const runner = createRunner(() => runOnce().catch(afterError), options)
  return {
    state: list.state,
    /** Takes the next turn now unless one is under way; resolves when that one ends. */
    refresh: runner.runNow,
    /** Does nothing on the leader. */
    takeOver: (): void => {
      if (caughtUpLease === null || caughtUpLease !== shared.token()) runner.runSoon()
    },
    /** Fetches when it is time by the current interval, which may be now. */
    reconsider: (): void => {
      const { problem, fetchedAt, nextAt } = list.state()
      if (caughtUpLease === null || runner.isUnderWay() || problem || fetchedAt === null || nextAt === null) return
      const at = Math.min(nextAt, Math.min(fetchedAt, now()) + intervalMs(list.state()))
      list.plan(at)
      runner.runAt(at)
    },
    stop: (): void => {
      list.stop()
      runner.stop()
    },
  }
}

/** One turn at a time, and always a next one: `takeTurn` answers when (ms). */
function createRunner(
  takeTurn: () => Promise<number>,
  { now, schedule }: Pick<RefresherOptions<never>, 'now' | 'schedule'>,
) {
  let underWay: Promise<void> | null = null
  let isWantedSoon = false
  let isStopped = false
  let cancel = () => {}

  function runAt(moment: number): void {
    cancel()
    if (!isStopped) cancel = schedule(Math.max(0, moment - now()), () => void runNow())
  }
  async function run(): Promise<void> {
    cancel()
    isWantedSoon = false
    let nextAt = now() + FALLBACK_MS
    try {
      nextAt = await takeTurn()
    } finally {
      underWay = null
      runAt(isWantedSoon ? now() : nextAt)
    }
  }
  const runNow = (): Promise<void> => (isStopped ? Promise.resolve() : (underWay ??= run()))
  return {
    runNow,
    runAt,
    runSoon: () => {
      isWantedSoon = true
      void runNow()
    },
    isUnderWay: () => underWay !== null,
    stop: () => {
      isStopped = true
      cancel()
    },
  }
}

function createListHolder<T>({ onChange, onError }: Pick<RefresherOptions<T>, 'onChange' | 'onError'>) {
  let state = emptyListState<T>()
  let isStopped = false
  return {
    state: () => state,
    show(next: ListState<T>, touched: Touched | null = null): void {
      const isNew = next.version !== state.version
      state = next
      if (isStopped) return
      try {
        onChange(state, isNew, touched)
      } catch (error) {
        onError(error)
      }
    },
    plan: (nextAt: number | null) => void (state = { ...state, nextAt }),
    stop: () => void (isStopped = true),
    /** Of the content that the shared store has too: the service need not send it again. */
    stored: null as Validators | null,
    seen: '',
  }
}

type Refreshing<T> = RefresherOptions<T> & { list: ReturnType<typeof createListHolder<T>> }

/** Versions never go back: a store that lost its content and has an older one is not believed. */
async function follow<T>({ list, source, shared }: Refreshing<T>): Promise<void> {
  const before = list.state()
  const published = await shared.read(source.list, before.version)
  // The same as before, but this instance's clock may have been set since.
  if (published?.id === list.seen) return list.plan(published.state.nextAt)
  list.stored = null
  if (published === null || published.state.version < before.version) return
  const { state, body } = published
  if (state.problem?.doubt) source.guard.adopt(state.problem.doubt)
  else if (state.problem === null) source.guard.clear()
  if (state.version === before.version) list.show({ ...state, content: before.content })
  else {
    const reading = body && (await source.read(body, before.content))
    // What cannot be read is tried again.
    if (!reading?.ok) return
    list.show({ ...state, content: reading.content }, reading.touched)
  }
  if (list.state().version === state.version) list.stored = published.validators
  list.seen = published.id
}

const SLOW_MS = 10_000
const SLOWEST_MS = 30_000

/** Sends one request at most. False when another instance leads by now; the list is then again as it was. */
async function fetchAndPublish<T>(refreshing: Refreshing<T>, token: number): Promise<boolean> {
  const { list, source, shared, now, schedule, intervalMs, random, onError } = refreshing
  const { nextAt: dueAt, fetchMs } = list.state()
  const since = Math.min(now(), dueAt ?? Infinity)
  const slow: Problem = { kind: 'unavailable', detail: 'the answer is slow to come', since }
  // A fetch that takes twice as long as the last one, within these bounds, is reported while it lasts, since it may hang.
  const cancelReport = schedule(Math.min(SLOWEST_MS, Math.max(SLOW_MS, 2 * fetchMs)), () => {
    const { content, ...state } = { ...list.state(), problem: list.state().problem ?? slow, nextAt: null }
    list.show({ ...state, content })
    void shared.publish(source.list, token, { state, validators: list.stored ?? {} }, null).catch(() => {})
  })
  let outcome: FetchOutcome<T> = { kind: 'unavailable', detail: 'an error within Intag', retryAfterMs: null }
  try {
    outcome = await source.fetch(list.state().content, list.stored ?? {})
  } catch (error) {
    onError(error)
  }
  cancelReport()
  const reported = list.state()
  // When nothing was sent, it was the budget that took long, and no answer.
  const isReportWrong = outcome.kind === 'later' && reported.problem === slow
  const next = afterOutcome(isReportWrong ? { ...reported, problem: null } : reported, outcome, now())
  const nextAt = nextAfter(outcome, next, dueAt, { now: now(), intervalMs, random: random() })
  if (outcome.kind === 'later' && next.problem === list.state().problem) {
    list.plan(nextAt)
    return true
  }
  const good = outcome.kind === 'fetched' ? outcome : null
  const validators = good?.validators ?? list.stored ?? {}
  const body = good && (good.changed || list.stored === null) ? good.body : null
  const { content, ...state } = { ...next, nextAt }
  const before = list.state()
  // The list is shown before it is published, because packing a large one takes longer than reading it.
  list.show({ ...state, content }, good?.touched ?? null)
  try {
    const published = await shared.publish(source.list, token, { state, validators }, body)
    if (published === 'refused') {
      list.show(before)
      return false
    }
    list.stored = published === 'without body' ? null : validators
    if (good) source.guard.clear()
    return true
  } catch (error) {
    list.show(before)
    throw error
  }
}
