import { applyOutcome, type FetchOutcome, findNextFetchAt, type ListState } from './list-state'
import { createPublishedList, type PublishedListOptions } from './published-list'
import { ShareUnavailableError } from './shared-lists'

export type RefresherOptions<T> = PublishedListOptions<T> & {
  getIntervalMs: (state: ListState<T>) => number
  now: () => number
  schedule: (delayMs: number, run: () => void) => () => void
  random: () => number
}

/** The next run begins after this time when an unforeseen error has left no plan for it. */
const FALLBACK_INTERVAL_MS = 60_000

/**
 * Keeps one list fresh: the instance with the lease fetches and publishes, and the others read what it published. A
 * list that cannot be published is withdrawn, so that all instances have the same versions.
 */
export function createListRefresher<T>(options: RefresherOptions<T>) {
  const { source, sharedLists, now, getIntervalMs, random, onError } = options
  const list = createPublishedList(options)
  /** The lease under which this instance has read what was published; null while another leads and after a failure. */
  let caughtUpToken: number | null = null

  async function runOnce(): Promise<number> {
    const fencingToken = await sharedLists.acquireLease()
    const isCaughtUp = fencingToken !== null && fencingToken === caughtUpToken
    if (!isCaughtUp) await list.adoptPublished()
    caughtUpToken = fencingToken
    if (fencingToken === null) return now() + sharedLists.pollIntervalMs()
    const { nextAt } = list.state()
    // A new leader keeps to the plan of the one before, because a change of leader must not cost a request.
    if (!isCaughtUp && nextAt !== null && nextAt > now()) return nextAt
    if (await fetchAndPublish(fencingToken)) return list.state().nextAt ?? now() + FALLBACK_INTERVAL_MS
    caughtUpToken = null
    return now() + sharedLists.pollIntervalMs()
  }

  /** Sends one request at most. Returns false, and leaves the state as it was, when another instance has the lease. */
  async function fetchAndPublish(fencingToken: number): Promise<boolean> {
    const state = list.state()
    let outcome: FetchOutcome<T> = { kind: 'unavailable', detail: 'an error within Intag', retryAfterMs: null }
    try {
      outcome = await source.fetch(state.content, list.validators())
    } catch (error) {
      onError(error)
    }
    const nextState = applyOutcome(state, outcome, now())
    const nextAt = findNextFetchAt(outcome, nextState, { now: now(), getIntervalMs, random: random() })
    if (outcome.kind !== 'no-budget' || nextState.problem !== state.problem)
      return list.publish(fencingToken, { ...nextState, nextAt }, outcome)
    list.setNextAt(nextAt)
    return true
  }

  function planAfterError(error: unknown): number {
    caughtUpToken = null
    if (!(error instanceof ShareUnavailableError)) {
      onError(error)
      return now() + FALLBACK_INTERVAL_MS
    }
    const state = list.state()
    const nextAt = now() + sharedLists.pollIntervalMs()
    const detail = `the database: ${error.message}`
    const outage = { kind: 'unavailable', faultySystem: 'database', detail, retryAfterMs: null } as const
    if (state.problem?.detail === detail) list.setNextAt(nextAt)
    else list.setState({ ...applyOutcome(state, outage, now()), nextAt })
    return nextAt
  }

  const runner = createRunner(() => runOnce().catch(planAfterError), options)
  return {
    state: list.state,
    /** Runs now unless a run is under way, and resolves when that run ends. */
    refresh: runner.runNow,
    /** Runs now if this instance has not read what was published under the present lease. */
    catchUp: (): void => {
      if (caughtUpToken === null || caughtUpToken !== sharedLists.fencingToken()) void runner.runNow()
    },
    /** Brings the next fetch forward if the interval has become shorter since it was planned; it may be due at once. */
    reschedule: (): void => {
      const { problem, fetchedAt, nextAt } = list.state()
      if (caughtUpToken === null || runner.isUnderWay() || problem || fetchedAt === null || nextAt === null) return
      const dueAt = Math.min(nextAt, Math.min(fetchedAt, now()) + getIntervalMs(list.state()))
      list.setNextAt(dueAt)
      runner.runAt(dueAt)
    },
    stop: (): void => {
      list.stop()
      runner.stop()
    },
  }
}

/** Calls `runOnce` again at the moment (ms) with which it resolves, never twice at a time. It must not reject. */
function createRunner(runOnce: () => Promise<number>, options: Pick<RefresherOptions<never>, 'now' | 'schedule'>) {
  const { now, schedule } = options
  let underWay: Promise<void> | null = null
  let isStopped = false
  let cancel = () => {}

  function runAt(moment: number): void {
    cancel()
    if (!isStopped) cancel = schedule(Math.max(0, moment - now()), () => void runNow())
  }
  async function run(): Promise<void> {
    cancel()
    const nextAt = await runOnce()
    underWay = null
    runAt(nextAt)
  }
  const runNow = (): Promise<void> => (isStopped ? Promise.resolve() : (underWay ??= run()))
  return {
    runNow,
    runAt,
    isUnderWay: () => underWay !== null,
    stop: () => {
      isStopped = true
      cancel()
    },
  }
}
