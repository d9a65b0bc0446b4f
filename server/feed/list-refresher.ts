import 'server-only'
import type { ListSource } from './list-source'
import {
  applyOutcome,
  type ChangedLeads,
  emptyListState,
  type FetchOutcome,
  findNextFetchAt,
  type ListState,
  type Problem,
} from './list-state'
import type { Validators } from './response-headers'
import { type SharedLists, ShareUnavailableError } from './shared-lists'

export type ListRefresher<T> = ReturnType<typeof createListRefresher<T>>

export type RefresherOptions<T> = {
  source: ListSource<T>
  sharedLists: SharedLists
  intervalMs: (state: ListState<T>) => number
  now: () => number
  schedule: (delayMs: number, run: () => void) => () => void
  random: () => number
  /** It is called after each change of the state. `isNew` says that the content has a new version. */
  onChange: (state: ListState<T>, isNew: boolean, changedLeads: ChangedLeads | null) => void
  onError: (error: unknown) => void
}

/** The next run comes after this time when an error left none planned. */
const FALLBACK_MS = 60_000
const MIN_SLOW_MS = 10_000
const MAX_SLOW_MS = 30_000

/**
 * Keeps one list fresh: the instance with the lease fetches and publishes, and the others read what it published. A list
 * that cannot be published is withdrawn, so that all instances have the same versions.
 */
export function createListRefresher<T>(options: RefresherOptions<T>) {
  const { source, sharedLists, now, schedule, intervalMs, random, onError } = options
  const list = createPublishedList(options)
  /** The lease under which this instance has caught up with what was published; null while another leads. */
  let caughtUpToken: number | null = null

  async function runOnce(): Promise<number> {
    const lease = await sharedLists.acquireLease()
    const isCaughtUp = lease.fencingToken !== null && lease.fencingToken === caughtUpToken
    if (!isCaughtUp) await list.read()
    caughtUpToken = lease.fencingToken
    if (lease.fencingToken === null) return now() + Math.min(sharedLists.pollIntervalMs(), lease.freeInMs)
    const { nextAt } = list.state()
    if (!isCaughtUp && nextAt !== null && nextAt > now()) return nextAt
    if (await fetchAndPublish(lease.fencingToken)) return list.state().nextAt ?? now() + FALLBACK_MS
    caughtUpToken = null
    return now() + sharedLists.pollIntervalMs()
  }

  /** Sends one request at most. Returns false, and leaves the state as it was, when another instance has taken the lease. */
  async function fetchAndPublish(fencingToken: number): Promise<boolean> {
    const { nextAt: dueAt, fetchMs } = list.state()
    const since = Math.min(now(), dueAt ?? Infinity)
    const slowProblem: Problem = { kind: 'unavailable', detail: 'the answer is slow to come', since }
    // A fetch that takes twice as long as the last one (10 to 30 s) is reported while it lasts, because it may hang.
    const slowMs = Math.min(MAX_SLOW_MS, Math.max(MIN_SLOW_MS, 2 * fetchMs))
    const cancelReport = schedule(slowMs, () => list.report(fencingToken, slowProblem))
    let outcome: FetchOutcome<T> = { kind: 'unavailable', detail: 'an error within Intag', retryAfterMs: null }
    try {
      outcome = await source.fetch(list.state().content, list.validators())
    } catch (error) {
      onError(error)
    }
    cancelReport()
    const state = list.state()
    // If nothing was sent, the budget's store was slow and not the service.
    const isReportWrong = outcome.kind === 'no-budget' && state.problem === slowProblem
    const next = applyOutcome(isReportWrong ? { ...state, problem: null } : state, outcome, now())
    const nextAt = findNextFetchAt(outcome, next, dueAt, { now: now(), intervalMs, random: random() })
    if (outcome.kind !== 'no-budget' || next.problem !== state.problem)
      return list.publish(fencingToken, { ...next, nextAt }, outcome)
    list.setNextAt(nextAt)
    return true
  }

  function planAfterError(error: unknown): number {
    caughtUpToken = null
    if (!(error instanceof ShareUnavailableError)) {
      onError(error)
      return now() + FALLBACK_MS
    }
    const nextAt = now() + sharedLists.pollIntervalMs()
    const outage = toOutage(error)
    if (list.state().problem?.detail === outage.detail) list.setNextAt(nextAt)
    else list.setState({ ...applyOutcome(list.state(), outage, now()), nextAt })
    return nextAt
  }

  const runner = createRunner(() => runOnce().catch(planAfterError), options)
  return {
    state: list.state,
    /** Runs now unless a run is under way, and resolves when that run ends. */
    refresh: runner.runNow,
    /** Reads what another instance published; the leader has nothing to read. */
    catchUp: (): void => {
      if (caughtUpToken === null || caughtUpToken !== sharedLists.fencingToken()) runner.runSoon()
    },
    /** Plans the next fetch again, by the current interval; it may be due at once. */
    reschedule: (): void => {
      const { problem, fetchedAt, nextAt } = list.state()
      if (caughtUpToken === null || runner.isUnderWay() || problem || fetchedAt === null || nextAt === null) return
      const dueAt = Math.min(nextAt, Math.min(fetchedAt, now()) + intervalMs(list.state()))
      list.setNextAt(dueAt)
      runner.runAt(dueAt)
    },
    stop: (): void => {
      list.stop()
      runner.stop()
    },
  }
}

/** The database cannot be reached, which is no fault of the service. */
function toOutage({ message }: ShareUnavailableError) {
  const detail = `the database: ${message}`
  return { kind: 'unavailable', faultySystem: 'database', detail, retryAfterMs: null } as const
}

/** Calls `runOnce` again and again, never twice at a time. It returns when (ms) it wants to be called next. */
function createRunner(
  runOnce: () => Promise<number>,
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
      nextAt = await runOnce()
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

type PublishedListOptions<T> = Pick<RefresherOptions<T>, 'source' | 'sharedLists' | 'onChange' | 'onError'>

/** Holds the state of a list, and keeps it the same as the one that the instances share. */
function createPublishedList<T>({ source, sharedLists, onChange, onError }: PublishedListOptions<T>) {
  let state = emptyListState<T>()
  /** These are null while the shared store lacks the content's body, which the service must then send again. */
  let storedValidators: Validators | null = null
  let lastReadId = ''
  let isStopped = false

  const setNextAt = (nextAt: number | null) => void (state = { ...state, nextAt })
  function setState(next: ListState<T>, changedLeads: ChangedLeads | null = null): void {
    const isNew = next.version !== state.version
    state = next
    if (isStopped) return
    try {
      onChange(state, isNew, changedLeads)
    } catch (error) {
      onError(error)
    }
  }

  return {
    state: () => state,
    validators: () => storedValidators ?? {},
    setState,
    setNextAt,
    stop: () => void (isStopped = true),
    /** Takes over what the leader published. Versions never go back, so a store that lost its content is ignored. */
    async read(): Promise<void> {
      const previous = state
      const published = await sharedLists.read(source.list, previous.version)
      // The publication may be the one that was read last, but this instance's clock may have been set since.
      if (published?.id === lastReadId) return setNextAt(published.state.nextAt)
      storedValidators = null
      if (published === null || published.state.version < previous.version) return
      const { body, state: next } = published
      if (next.problem?.doubt) source.guard.adopt(next.problem.doubt)
      else if (next.problem === null) source.guard.clear()
      if (next.version === previous.version) setState({ ...next, content: previous.content })
      else {
        const reading = body && (await source.read(body, previous.content))
        // `lastReadId` stays, so a body that cannot be read is tried again.
        if (!reading?.ok) return
        setState({ ...next, content: reading.content }, reading.changedLeads)
      }
      if (state.version === next.version) storedValidators = published.validators
      lastReadId = published.id
    },
    report(fencingToken: number, problem: Problem): void {
      const { content, ...report } = { ...state, problem: state.problem ?? problem, nextAt: null }
      setState({ ...report, content })
      const publication = { state: report, validators: storedValidators ?? {} }
      void sharedLists.publish(source.list, fencingToken, publication, null).catch(() => {})
    },
    async publish(fencingToken: number, next: ListState<T>, outcome: FetchOutcome<T>): Promise<boolean> {
      const fetched = outcome.kind === 'fetched' ? outcome : null
      const validators = fetched?.validators ?? storedValidators ?? {}
      const body = fetched && (fetched.isChanged || storedValidators === null) ? fetched.body : null
      const previous = state
      // The list is shown before it is published, because packing a large one takes longer than reading it.
      setState(next, fetched?.changedLeads ?? null)
      try {
        const { content: _, ...shared } = next
        const published = await sharedLists.publish(source.list, fencingToken, { state: shared, validators }, body)
        if (published === 'refused') setState(previous)
        else storedValidators = published === 'without body' ? null : validators
        if (fetched && published !== 'refused') source.guard.clear()
        return published !== 'refused'
      } catch (error) {
        setState(previous)
        throw error
      }
    },
  }
}
