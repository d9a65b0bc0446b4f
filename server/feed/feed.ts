import type { HighSchool, Lead } from '@/lib/contract/lead'
import type { FeedList } from '@/lib/contract/lists'
import { withTimeout } from '@/server/base/deadline'
import { NotReadyError } from '@/server/base/errors'
import type { IngestedList } from './ingest'
import { createListRefresher, type RefresherOptions } from './list-refresher'
import type { ListSource, ListSources } from './list-source'
import type { ChangedLeads, ListState } from './list-state'
import { computeRefreshIntervals, type NumberPerList, stretchInterval, weighRecentLeads } from './refresh-intervals'
import { toSnapshotInfo } from './snapshot-info'

export type Feed = ReturnType<typeof createFeed>

type FeedOptions = Pick<RefresherOptions<unknown>, 'sharedLists' | 'now' | 'schedule' | 'random'> & {
  sources: ListSources
  requestsPerHour: number
  /** Called after each change of a list's state. `isNew` tells whether the content has a new version. */
  onChange: (list: FeedList, state: ListState<unknown>, isNew: boolean, changedLeads: ChangedLeads | null) => void
  onError: (list: FeedList, error: unknown) => void
}

/** Twice an hour is enough, because schools change a few times a year and an unknown one is looked up by id. */
const HIGH_SCHOOLS_INTERVAL_MS = 1_800_000
const HIGH_SCHOOL_FETCHES_PER_HOUR = 2
const WATCH_DURATION_MS = 90_000
const UNWATCHED_INTERVAL_MS = 300_000
const ANNOUNCE_INTERVAL_MS = 30_000

/** Fetches the three lists as often as the budget allows while users look, and rarely otherwise. */
export function createFeed(options: FeedOptions) {
  const { sources, sharedLists, now } = options
  let firstRefreshes: Promise<unknown> | null = null
  let watchedAt = -Infinity
  let announcedAt = -Infinity
  // The absolute difference also ends the watch when the clock was set back.
  const isWatched = () => Math.abs(now() - watchedAt) < WATCH_DURATION_MS
  const extendWatch = () => {
    const wasUnwatched = !isWatched()
    watchedAt = now()
    if (wasUnwatched) refreshers.forEach((refresher) => refresher.reschedule())
  }

  const computeInterval = (list: keyof NumberPerList, fetchMs: number): number => {
    const weigh = ({ content }: ListState<IngestedList<Lead>>) =>
      weighRecentLeads(content?.table.createdAt ?? new Float64Array(), now())
    const rates = { askedQuestions: weigh(askedQuestions.state()), declarations: weigh(declarations.state()) }
    const requestsPerHour = Math.max(1, options.requestsPerHour - HIGH_SCHOOL_FETCHES_PER_HOUR)
    const watchedMs = computeRefreshIntervals(rates, requestsPerHour)[list]
    return stretchInterval(isWatched() ? watchedMs : Math.max(watchedMs, UNWATCHED_INTERVAL_MS), fetchMs)
  }
  const createRefresher = <T>(source: ListSource<T>, getIntervalMs: (state: ListState<T>) => number) =>
    createListRefresher({
      ...options,
      source,
      getIntervalMs,
      onChange: (...change) => options.onChange(source.list, ...change),
      onError: (error) => options.onError(source.list, error),
    })
  const askedQuestions = createRefresher(sources.askedQuestions, ({ fetchMs }) =>
    computeInterval('askedQuestions', fetchMs),
  )
  const declarations = createRefresher(sources.declarations, ({ fetchMs }) => computeInterval('declarations', fetchMs))
  const highSchools = createRefresher(sources.highSchools, () => HIGH_SCHOOLS_INTERVAL_MS)
  const refresherByList = {
    'high-schools': highSchools,
    'declarations-of-interest': declarations,
    'asked-questions': askedQuestions,
  }
  const refreshers = Object.values(refresherByList)

  const start = () => {
    if (firstRefreshes === null) {
      sharedLists.subscribe({ onPublished: (list) => refresherByList[list].catchUp(), onWatched: extendWatch })
      firstRefreshes = Promise.all(refreshers.map((refresher) => refresher.refresh()))
    }
    return firstRefreshes
  }
  return {
    askedQuestions: askedQuestions.state,
    declarations: declarations.state,
    highSchools: highSchools.state,
    /** A user is looking: for 90 seconds the feed fetches as often as the budget allows. */
    markWatched: (): void => {
      extendWatch()
      if (sharedLists.fencingToken() !== null || Math.abs(now() - announcedAt) < ANNOUNCE_INTERVAL_MS) return
      announcedAt = now()
      sharedLists.announceWatched()
    },
    waitForLists: (timeoutMs: number): Promise<unknown> => withTimeout(start(), timeoutMs).catch(() => {}),
    start: (): void => void start(),
    stop: (): void => refreshers.forEach(({ stop }) => stop()),
  }
}

const MAX_FIRST_WAIT_MS = 2_500
const MIN_RETRY_SECONDS = 5

/** Reads a snapshot for a user, who thereby watches the feed. Throws `NotReadyError` after 2.5 s without content. */
export async function readSnapshot<T>(
  { feed, now }: { feed: Pick<Feed, 'markWatched' | 'waitForLists'>; now: () => number },
  readState: () => ListState<T>,
) {
  feed.markWatched()
  if (readState().content === null) await feed.waitForLists(MAX_FIRST_WAIT_MS)
  const state = readState()
  const { content, problem, nextAt } = state
  const snapshot = toSnapshotInfo(state)
  if (content !== null && snapshot !== null) return { content, snapshot }
  if (problem === null) throw new NotReadyError('The first data is on its way', MIN_RETRY_SECONDS)
  const retrySeconds = Math.max(MIN_RETRY_SECONDS, Math.ceil(((nextAt ?? 0) - now()) / 1_000))
  throw new NotReadyError(`No data yet: ${problem.kind}. Asked for again in ${retrySeconds} s`, retrySeconds)
}

export function readKnownSchools({ feed }: { feed: Pick<Feed, 'highSchools'> }): readonly HighSchool[] {
  return feed.highSchools().content?.highSchools ?? []
}
