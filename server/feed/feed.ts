import 'server-only'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { AskedQuestion, DeclarationOfInterest, Lead } from '@/lib/contract/lead'
import type { FeedList } from '@/lib/contract/lists'
import { NotReadyError } from '@/server/errors'
import type { IngestedList } from './ingest'
import { createListRefresher, type ListRefresher, type ListState, snapshotInfo, type Touched } from './list-refresher'
import type { HighSchoolList } from './list-source'
import { type LeadRates, paced, refreshIntervals, splitWeight } from './schedule'
import type { ListFetch, ListFetches } from './shared-fetch'

export type Feed = {
  askedQuestions: () => ListState<IngestedList<AskedQuestion>>
  declarations: () => ListState<IngestedList<DeclarationOfInterest>>
  highSchools: () => ListState<HighSchoolList>
  /** Somebody is looking at the data now: for 90 seconds the feed fetches as often as the budget allows. */
  markWatched: () => void
  /** Another instance has published something about this list. */
  takeOver: (list: FeedList) => void
  /** Fetches this list now, as far as the budget has a place. */
  fetchNow: (list: FeedList) => Promise<void>
  /** Resolves when each list has been asked for at least once, or after `timeoutMs`. Starts the feed. */
  ready: (timeoutMs: number) => Promise<void>
  start: () => void
  stop: () => void
}

type FeedOptions = {
  fetches: ListFetches
  /** What may be spent on the three lists together at the pace that is right now. */
  requestsPerHour: () => number
  now: () => number
  schedule: (delayMs: number, run: () => void) => () => void
  random: () => number
  /** After each fetch, good or bad; `isNew` when the content has another version now, and what is other in it if that is known. */
  onChange: (list: FeedList, state: ListState<unknown>, isNew: boolean, touched: Touched | null) => void
  /** Of what nobody foresaw; the list goes on all the same. */
  onError: (list: FeedList, error: unknown) => void
}

/** Schools come and go a few times a year, and one that is not listed yet is looked up by its id. */
const HIGH_SCHOOLS_INTERVAL_MS = 1_800_000
const HIGH_SCHOOLS_PER_HOUR = 2
/** How long after `markWatched` the feed keeps its full pace. */
const WATCHED_MS = 90_000
const UNWATCHED_INTERVAL_MS = 300_000

/** The two lists of leads and the schools, fetched for everyone at once; readers take the current state and never wait. */
export function createFeed(options: FeedOptions): Feed {
  const { fetches, now, schedule } = options
  let watchedAt = -Infinity
  let started: Promise<unknown> | null = null
  // Also where the clock was set back since: then they have not looked in a time to come, but just now or long ago.
  const isWatched = () => Math.abs(now() - watchedAt) < WATCHED_MS

  const leadInterval = (which: keyof LeadRates) => (state: ListState<unknown>) => {
    const rates = {
      askedQuestions: weightOf(askedQuestions.state(), now()),
      declarations: weightOf(declarations.state(), now()),
    }
    const watched = refreshIntervals(rates, Math.max(1, options.requestsPerHour() - HIGH_SCHOOLS_PER_HOUR))[which]
    return paced(isWatched() ? watched : Math.max(watched, UNWATCHED_INTERVAL_MS), state.fetchMs)
  }
  const askedQuestions: LeadRefresher<AskedQuestion> = refresherOf(
    options,
    'asked-questions',
    fetches.askedQuestions,
    leadInterval('askedQuestions'),
  )
  const declarations: LeadRefresher<DeclarationOfInterest> = refresherOf(
    options,
    'declarations-of-interest',
    fetches.declarations,
    leadInterval('declarations'),
  )
  const highSchools = refresherOf(options, 'high-schools', fetches.highSchools, () => HIGH_SCHOOLS_INTERVAL_MS)
  const byName = {
    'high-schools': highSchools,
    'declarations-of-interest': declarations,
    'asked-questions': askedQuestions,
  }
  const all = Object.values(byName)

  const markWatched = () => {
    const wasWatched = isWatched()
    watchedAt = now()
    if (!wasWatched) for (const refresher of all) refresher.reconsider()
  }
  const start = () => (started ??= Promise.all(all.map((refresher) => refresher.refresh())))
  return {
    askedQuestions: askedQuestions.state,
    declarations: declarations.state,
    highSchools: highSchools.state,
    markWatched,
    takeOver: (list) => byName[list].takeOver(),
    fetchNow: (list) => byName[list].fetchNow(),
    ready: (timeoutMs) => waitAtMost(start(), timeoutMs, schedule),
    start: () => void start(),
    stop: () => all.forEach(({ stop }) => stop()),
  }
}

function refresherOf<T>(
  { now, schedule, random, onChange, onError }: FeedOptions,
  list: FeedList,
  fetch: ListFetch<T>,
  intervalMs: (state: ListState<T>) => number,
): ListRefresher<T> {
  return createListRefresher({
    fetch,
    intervalMs,
    now,
    schedule,
    random,
    onChange: (state, isNew, touched) => onChange(list, state, isNew, touched),
    onError: (error) => onError(list, error),
  })
}

type LeadRefresher<L extends Lead> = ListRefresher<IngestedList<L>>

async function waitAtMost(work: Promise<unknown>, timeoutMs: number, schedule: FeedOptions['schedule']): Promise<void> {
  let cancel = () => {}
  const timedOut = new Promise<void>((resolve) => (cancel = schedule(timeoutMs, resolve)))
  await Promise.race([work, timedOut])
  cancel()
}

function weightOf(state: ListState<IngestedList<Lead>>, now: number): number {
  return splitWeight(state.content?.table.createdAt ?? new Float64Array(), now)
}

/** How long a reader waits for the very first answer of the service before NotReadyError. */
const FIRST_ANSWER_MS = 2_500
const LEAST_RETRY_SECONDS = 5

/**
 * A list's last good content, for a reader; marks the feed as watched. Throws NotReadyError when there is none yet.
 */
export async function currentSnapshot<T>(
  feed: Pick<Feed, 'markWatched' | 'ready'>,
  stateOf: () => ListState<T>,
): Promise<{ content: T; snapshot: SnapshotInfo }> {
  feed.markWatched()
  if (stateOf().content === null) await feed.ready(FIRST_ANSWER_MS)
  const state = stateOf()
  const snapshot = snapshotInfo(state)
  if (state.content === null || snapshot === null) throw notReady(state)
  return { content: state.content, snapshot }
}

/** Why there is nothing yet, and when it is asked for again. */
function notReady({ problem, nextAt }: ListState<unknown>): NotReadyError {
  if (problem === null) return new NotReadyError('The first data is on its way', LEAST_RETRY_SECONDS)
  const seconds = nextAt === null ? 0 : Math.ceil((nextAt - Date.now()) / 1_000)
  const wait = Math.max(LEAST_RETRY_SECONDS, seconds)
  const reason = problem.at === 'intag' ? 'Intag stood still over the answer, which must change first' : problem.kind
  return new NotReadyError(`No data yet: ${reason}. Asked for again in ${wait} s`, wait)
}
