import 'server-only'
import type { AskedQuestion, DeclarationOfInterest, Lead } from '@/lib/contract/lead'
import type { HighSchoolList, LeadAttempt, ListAttempt } from './attempts'
import type { IngestedList } from '@/server/feed/ingest/ingested-list'
import { createListRefresher, type ListRefresher } from './list-refresher'
import type { ListName, ListState } from './list-state'
import { arrivalRate, type LeadRates, paced, refreshIntervals } from './schedule'

export type Feed = {
  askedQuestions: () => ListState<IngestedList<AskedQuestion>>
  declarations: () => ListState<IngestedList<DeclarationOfInterest>>
  highSchools: () => ListState<HighSchoolList>
  /** Somebody is looking at the data now: fetch as often as the budget allows for the next while. */
  look: () => void
  /** Another instance has told something about this list. */
  hear: (list: ListName) => void
  /** Resolves when each list has been asked for at least once, or after `timeoutMs`. Starts the feed. */
  ready: (timeoutMs: number) => Promise<void>
  start: () => void
  stop: () => void
}

export type FeedOptions = {
  attempts: {
    askedQuestions: LeadAttempt<'asked-question'>
    declarations: LeadAttempt<'declaration-of-interest'>
    highSchools: ListAttempt<HighSchoolList>
  }
  /** What may be spent on the three lists together, steadily. */
  requestsPerHour: number
  now: () => number
  schedule: (delayMs: number, run: () => void) => () => void
  random: () => number
  /** After each fetch, good or bad; `isNew` when the content has another version now. */
  onChange: (list: ListName, state: ListState<unknown>, isNew: boolean) => void
}

const HIGH_SCHOOLS_INTERVAL_MS = 600_000
const HIGH_SCHOOLS_PER_HOUR = 6
/** How long after the last look the feed goes on at full pace. */
const WATCHED_MS = 90_000
const UNWATCHED_INTERVAL_MS = 300_000

/** The two lists of leads and the schools, fetched for everyone at once; readers take the current state and never wait. */
export function createFeed(options: FeedOptions): Feed {
  const { attempts, now, schedule } = options
  let lookedAt = -Infinity
  let started: Promise<unknown> | null = null
  const isWatched = () => now() - lookedAt < WATCHED_MS

  const leadInterval = (which: keyof LeadRates) => (state: ListState<unknown>) => {
    const rates = {
      askedQuestions: rate(askedQuestions.state(), now()),
      declarations: rate(declarations.state(), now()),
    }
    const watched = refreshIntervals(rates, Math.max(1, options.requestsPerHour - HIGH_SCHOOLS_PER_HOUR))[which]
    return paced(isWatched() ? watched : Math.max(watched, UNWATCHED_INTERVAL_MS), state.fetchMs)
  }
  const askedQuestions: LeadRefresher<AskedQuestion> = refresherOf(
    options,
    'asked-questions',
    attempts.askedQuestions,
    leadInterval('askedQuestions'),
  )
  const declarations: LeadRefresher<DeclarationOfInterest> = refresherOf(
    options,
    'declarations-of-interest',
    attempts.declarations,
    leadInterval('declarations'),
  )
  const highSchools = refresherOf(options, 'high-schools', attempts.highSchools, () => HIGH_SCHOOLS_INTERVAL_MS)
  const byName = {
    'high-schools': highSchools,
    'declarations-of-interest': declarations,
    'asked-questions': askedQuestions,
  }
  const all = Object.values(byName)

  const start = () => (started ??= Promise.all(all.map((refresher) => refresher.refresh())))
  return {
    askedQuestions: askedQuestions.state,
    declarations: declarations.state,
    highSchools: highSchools.state,
    look: () => {
      const wasWatched = isWatched()
      lookedAt = now()
      if (!wasWatched) for (const refresher of all) refresher.reconsider()
    },
    hear: (list) => byName[list].hear(),
    ready: (timeoutMs) => withinTime(start(), timeoutMs, schedule),
    start: () => void start(),
    stop: () => {
      for (const refresher of all) refresher.stop()
    },
  }
}

function refresherOf<T>(
  { now, schedule, random, onChange }: FeedOptions,
  list: ListName,
  attempt: ListAttempt<T>,
  intervalMs: (state: ListState<T>) => number,
): ListRefresher<T> {
  const told = (state: ListState<T>, isNew: boolean) => onChange(list, state, isNew)
  return createListRefresher({ attempt, intervalMs, now, schedule, random, onChange: told })
}

type LeadRefresher<L extends Lead> = ListRefresher<IngestedList<L>>

async function withinTime(work: Promise<unknown>, timeoutMs: number, schedule: FeedOptions['schedule']): Promise<void> {
  let cancel = () => {}
  const timedOut = new Promise<void>((resolve) => (cancel = schedule(timeoutMs, resolve)))
  await Promise.race([work, timedOut])
  cancel()
}

function rate(state: ListState<IngestedList<Lead>>, now: number): number {
  return state.content === null ? 1 : arrivalRate(state.content.table.createdAt, now)
}
