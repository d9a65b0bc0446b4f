import 'server-only'
import type { Validators } from './client'
import type { ListSource } from './list-source'
import {
  applyOutcome,
  emptyListState,
  type FetchOutcome,
  type ListState,
  findNextFetchAt,
  type Problem,
  type ChangedLeads,
} from './list-state'
import { type SharedLists, ShareUnavailableError } from './shared-lists'

export type ListRefresher<T> = ReturnType<typeof createListRefresher<T>>

export type RefresherOptions<T> = {
  source: ListSource<T>
  sharedLists: SharedLists
  intervalMs: (state: ListState<T>) => number
  now: () => number
  schedule: (delayMs: number, run: () => void) => () => void
  random: () => number
  /** After each change of the state; `isNew` when the content has a new version. */
  onChange: (state: ListState<T>, isNew: boolean, touched: ChangedLeads | null) => void
  onError: (error: unknown) => void
}

/** Whatever goes wrong, there is always a next turn. */
const FALLBACK_MS = 60_000

/** One fetch at a time, by the leaseholder, which publishes it. A list that cannot be published is withdrawn, so that versions agree. */
export function createListRefresher<T>(options: RefresherOptions<T>) {
  const { sharedLists: sharedLists, now, intervalMs, onError } = options
  const stateHolder = createListHolder(options)
  const refreshContext = { ...options, list: stateHolder }
  /** The lease under which this instance has caught up with what was published; null while another leads. */
  let caughtUpLease: number | null = null

  async function runOnce(): Promise<number> {
    const lease = await sharedLists.acquireLease()
    const isCaughtUp = lease.fencingToken !== null && lease.fencingToken === caughtUpLease
    if (!isCaughtUp) await applyPublished(refreshContext)
    caughtUpLease = lease.fencingToken
    if (lease.fencingToken === null) return now() + Math.min(sharedLists.pollIntervalMs(), lease.freeInMs)
    const { nextAt } = stateHolder.state()
    if (!isCaughtUp && nextAt !== null && nextAt > now()) return nextAt
    if (await fetchAndPublish(refreshContext, lease.fencingToken)) return stateHolder.state().nextAt ?? now() + FALLBACK_MS
    caughtUpLease = null
    return now() + sharedLists.pollIntervalMs()
  }

  function planAfterError(error: unknown): number {
    caughtUpLease = null
    if (!(error instanceof ShareUnavailableError)) {
      onError(error)
      return now() + FALLBACK_MS
    }
    // A problem of ours and not of the service.
    const nextAt = now() + sharedLists.pollIntervalMs()
    const detail = `the database: ${error.message}`
    const outage = { kind: 'unavailable' as const, faultySystem: 'database' as const, detail, retryAfterMs: null }
    if (stateHolder.state().problem?.detail === detail) stateHolder.setNextAt(nextAt)
    else stateHolder.setState({ ...applyOutcome(stateHolder.state(), outage, now()), nextAt })
    return nextAt
  }

  const runner = createRunner(() => runOnce().catch(planAfterError), options)
  return {
    state: stateHolder.state,
    /** Takes the next turn now unless one is under way; resolves when that one ends. */
    refresh: runner.runNow,
    /** Does nothing on the leader. */
    catchUp: (): void => {
      if (caughtUpLease === null || caughtUpLease !== sharedLists.fencingToken()) runner.runSoon()
    },
    /** Fetches when it is time by the current interval, which may be now. */
    reschedule: (): void => {
      const { problem, fetchedAt, nextAt } = stateHolder.state()
      if (caughtUpLease === null || runner.isUnderWay() || problem || fetchedAt === null || nextAt === null) return
      const at = Math.min(nextAt, Math.min(fetchedAt, now()) + intervalMs(stateHolder.state()))
      stateHolder.setNextAt(at)
      runner.runAt(at)
    },
    stop: (): void => {
      stateHolder.stop()
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
    setState(next: ListState<T>, touched: ChangedLeads | null = null): void {
      const isNew = next.version !== state.version
      state = next
      if (isStopped) return
      try {
        onChange(state, isNew, touched)
      } catch (error) {
        onError(error)
      }
    },
    setNextAt: (nextAt: number | null) => void (state = { ...state, nextAt }),
    stop: () => void (isStopped = true),
    /** Of the content that the shared store has too: the service need not send it again. */
    storedValidators: null as Validators | null,
    lastReadId: '',
  }
}

type RefreshContext<T> = RefresherOptions<T> & { stateHolder: ReturnType<typeof createListHolder<T>> }

/** Versions never go back: a store that lost its content and has an older one is not believed. */
async function applyPublished<T>({ stateHolder: stateHolder, source, sharedLists: sharedLists }: RefreshContext<T>): Promise<void> {
  const before = stateHolder.state()
  const published = await sharedLists.read(source.list, before.version)
  // The same as before, but this instance's clock may have been set since.
  if (published?.id === stateHolder.lastReadId) return stateHolder.setNextAt(published.state.nextAt)
  stateHolder.storedValidators = null
  if (published === null || published.state.version < before.version) return
  const { state, body } = published
  if (state.problem?.doubt) source.guard.adopt(state.problem.doubt)
  else if (state.problem === null) source.guard.clear()
  if (state.version === before.version) stateHolder.setState({ ...state, content: before.content })
  else {
    const reading = body && (await source.read(body, before.content))
    // What cannot be read is tried again.
    if (!reading?.ok) return
    stateHolder.setState({ ...state, content: reading.content }, reading.touched)
  }
  if (stateHolder.state().version === state.version) stateHolder.storedValidators = published.validators
  stateHolder.lastReadId = published.id
}

const SLOW_MS = 10_000
const SLOWEST_MS = 30_000

/** Sends one request at most. False when another instance leads by now; the list is then again as it was. */
async function fetchAndPublish<T>(refreshContext: RefreshContext<T>, fencingToken: number): Promise<boolean> {
  const { stateHolder: stateHolder, source, sharedLists: sharedLists, now, schedule, intervalMs, random, onError } = refreshContext
  const { nextAt: dueAt, fetchMs } = stateHolder.state()
  const since = Math.min(now(), dueAt ?? Infinity)
  const slow: Problem = { kind: 'unavailable', detail: 'the answer is slow to come', since }
  // A fetch that takes twice as long as the last one, within these bounds, is reported while it lasts, since it may hang.
  const cancelReport = schedule(Math.min(SLOWEST_MS, Math.max(SLOW_MS, 2 * fetchMs)), () => {
    const { content, ...state } = { ...stateHolder.state(), problem: stateHolder.state().problem ?? slow, nextAt: null }
    stateHolder.setState({ ...state, content })
    void sharedLists.publish(source.list, fencingToken, { state, validators: stateHolder.storedValidators ?? {} }, null).catch(() => {})
  })
  let outcome: FetchOutcome<T> = { kind: 'unavailable', detail: 'an error within Intag', retryAfterMs: null }
  try {
    outcome = await source.fetch(stateHolder.state().content, stateHolder.storedValidators ?? {})
  } catch (error) {
    onError(error)
  }
  cancelReport()
  const reported = stateHolder.state()
  // When nothing was sent, it was the budget that took long, and no answer.
  const isReportWrong = outcome.kind === 'later' && reported.problem === slow
  const next = applyOutcome(isReportWrong ? { ...reported, problem: null } : reported, outcome, now())
  const nextAt = findNextFetchAt(outcome, next, dueAt, { now: now(), intervalMs, random: random() })
  if (outcome.kind === 'later' && next.problem === stateHolder.state().problem) {
    stateHolder.setNextAt(nextAt)
    return true
  }
  const good = outcome.kind === 'fetched' ? outcome : null
  const validators = good?.validators ?? stateHolder.storedValidators ?? {}
  const body = good && (good.isChanged || stateHolder.storedValidators === null) ? good.body : null
  const { content, ...state } = { ...next, nextAt }
  const before = stateHolder.state()
  // The list is shown before it is published, because packing a large one takes longer than reading it.
  stateHolder.setState({ ...state, content }, good?.touched ?? null)
  try {
    const published = await sharedLists.publish(source.list, fencingToken, { state, validators }, body)
    if (published === 'refused') {
      stateHolder.setState(before)
      return false
    }
    stateHolder.storedValidators = published === 'without body' ? null : validators
    if (good) source.guard.clear()
    return true
  } catch (error) {
    stateHolder.setState(before)
    throw error
  }
}
