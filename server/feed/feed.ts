import 'server-only'
import type { HighSchool } from '@/lib/contract/lead'
import type { AskedQuestion, DeclarationOfInterest, Lead } from '@/lib/contract/lead'
import type { FeedList } from '@/lib/contract/lists'
import { NotReadyError } from '@/server/base/errors'
import type { IngestedList } from './ingest'
import { createListRefresher, type ListRefresher } from './list-refresher'
import type { ListSource, ListSources } from './list-source'
import { type ListState, snapshotInfo, type Touched } from './list-state'
import { type LeadRates, limitPace, refreshIntervals, splitWeight } from './schedule'
import type { SharedLists } from './shared-lists'

export type Feed = ReturnType<typeof createFeed>

type FeedOptions = {
  sources: ListSources
  shared: SharedLists
  requestsPerHour: () => number
  now: () => number
  schedule: (delayMs: number, run: () => void) => () => void
  random: () => number
  /** After each fetch, good or bad; `isNew` when the content has a new version. */
  onChange: (list: FeedList, state: ListState<unknown>, isNew: boolean, touched: Touched | null) => void
  onError: (list: FeedList, error: unknown) => void
}

/** Schools change a few times a year, and an unknown one is looked up by id. */
const HIGH_SCHOOLS_INTERVAL_MS = 1_800_000
const HIGH_SCHOOLS_PER_HOUR = 2
const WATCHED_MS = 90_000
const UNWATCHED_INTERVAL_MS = 300_000
const ANNOUNCE_EVERY_MS = 30_000

export function createFeed(options: FeedOptions) {
  const { sources, shared, now, schedule } = options
  let started: Promise<unknown> | null = null
  const watchers = createWatchTracker(options, () => all.forEach((refresher) => refresher.reconsider()))

  const leadInterval = (which: keyof LeadRates) => (state: ListState<unknown>) => {
    const rates = {
      askedQuestions: splitWeightOf(askedQuestions.state(), now()),
      declarations: splitWeightOf(declarations.state(), now()),
    }
    const watched = refreshIntervals(rates, Math.max(1, options.requestsPerHour() - HIGH_SCHOOLS_PER_HOUR))[which]
    return limitPace(watchers.isWatched() ? watched : Math.max(watched, UNWATCHED_INTERVAL_MS), state.fetchMs)
  }
  const refresherOf = <T>(source: ListSource<T>, intervalMs: (state: ListState<T>) => number) =>
    createListRefresher({
      ...options,
      source,
      intervalMs,
      onChange: (state, isNew, touched) => options.onChange(source.list, state, isNew, touched),
      onError: (error) => options.onError(source.list, error),
    })
  const askedQuestions: Refresher<AskedQuestion> = refresherOf(sources.askedQuestions, leadInterval('askedQuestions'))
  const declarations: Refresher<DeclarationOfInterest> = refresherOf(sources.declarations, leadInterval('declarations'))
  const highSchools = refresherOf(sources.highSchools, () => HIGH_SCHOOLS_INTERVAL_MS)
  const byName = {
    'high-schools': highSchools,
    'declarations-of-interest': declarations,
    'asked-questions': askedQuestions,
  }
  const all = Object.values(byName)

  const begin = () => {
    shared.subscribe({ published: (list) => byName[list].takeOver(), watched: watchers.onWatched })
    return Promise.all(all.map((refresher) => refresher.refresh()))
  }
  const start = () => (started ??= begin())
  return {
    askedQuestions: askedQuestions.state,
    declarations: declarations.state,
    highSchools: highSchools.state,
    /** A user is looking: for 90 seconds the feed fetches as often as the budget allows. */
    markWatched: watchers.mark,
    /** Resolves when each list was asked for once, or after `timeoutMs`. */
    ready: (timeoutMs: number): Promise<void> => waitAtMost(start(), timeoutMs, schedule),
    start: (): void => void start(),
    stop: (): void => all.forEach(({ stop }) => stop()),
  }
}

async function waitAtMost(work: Promise<unknown>, timeoutMs: number, schedule: FeedOptions['schedule']): Promise<void> {
  let cancel = () => {}
  const timedOut = new Promise<void>((resolve) => (cancel = schedule(timeoutMs, resolve)))
  await Promise.race([work, timedOut])
  cancel()
}

function createWatchTracker({ now, shared }: Pick<FeedOptions, 'now' | 'shared'>, onFirst: () => void) {
  let watchedAt = -Infinity
  let announcedAt = -Infinity
  // Also after the clock was set back.
  const isWatched = () => Math.abs(now() - watchedAt) < WATCHED_MS
  const onWatched = () => {
    const isFirst = !isWatched()
    watchedAt = now()
    if (isFirst) onFirst()
  }
  return {
    isWatched,
    onWatched,
    mark: (): void => {
      onWatched()
      if (shared.token() !== null || Math.abs(now() - announcedAt) < ANNOUNCE_EVERY_MS) return
      announcedAt = now()
      shared.announceWatched()
    },
  }
}

type Refresher<L extends Lead> = ListRefresher<IngestedList<L>>

function splitWeightOf(state: ListState<IngestedList<Lead>>, now: number): number {
  return splitWeight(state.content?.table.createdAt ?? new Float64Array(), now)
}

const FIRST_ANSWER_MS = 2_500
const MIN_RETRY_SECONDS = 5

/** For a reader; marks the feed as watched. Throws NotReadyError when there is no content yet. */
export async function currentSnapshot<T>(feed: Pick<Feed, 'markWatched' | 'ready'>, stateOf: () => ListState<T>) {
  feed.markWatched()
  if (stateOf().content === null) await feed.ready(FIRST_ANSWER_MS)
  const state = stateOf()
  const snapshot = snapshotInfo(state)
  if (state.content === null || snapshot === null) throw notReady(state)
  return { content: state.content, snapshot }
}

function notReady({ problem, nextAt }: ListState<unknown>): NotReadyError {
  if (problem === null) return new NotReadyError('The first data is on its way', MIN_RETRY_SECONDS)
  const seconds = nextAt === null ? 0 : Math.ceil((nextAt - Date.now()) / 1_000)
  const wait = Math.max(MIN_RETRY_SECONDS, seconds)
  return new NotReadyError(`No data yet: ${problem.kind}. Asked for again in ${wait} s`, wait)
}

export function knownSchools({ feed }: { feed: Pick<Feed, 'highSchools'> }): readonly HighSchool[] {
  return feed.highSchools().content?.highSchools ?? []
}
