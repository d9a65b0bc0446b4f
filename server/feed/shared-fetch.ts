import 'server-only'
import type { AskedQuestion, DeclarationOfInterest } from '@/lib/contract/lead'
import type { FeedList } from '@/lib/contract/lists'
import type { UpstreamClient } from '@/server/upstream/client'
import type { Validators } from '@/server/upstream/outcome'
import type { HungAnswers } from './hung-answers'
import type { IngestedList } from './ingest'
import type { FetchOutcome, FetchReason } from './list-refresher'
import {
  fetched,
  type HighSchoolList,
  highSchoolsSource,
  leadSource,
  type ListContent,
  type ListSource,
  unreadableAnswer,
} from './list-source'
import { createShrinkGuards, type ShrinkGuard, type ShrinkGuards } from './shrink-guard'
import { type Lock, type Share, type SharedProblem, type SharedState, ShareUnavailableError } from './share'

/** Fetches one list, given what it held before. */
export type ListFetch<T> = (current: T | null, reason: FetchReason) => Promise<FetchOutcome<T>>

export type ListFetches = {
  askedQuestions: ListFetch<IngestedList<AskedQuestion>>
  declarations: ListFetch<IngestedList<DeclarationOfInterest>>
  highSchools: ListFetch<HighSchoolList>
}

type ListFetchesParts = {
  client: Pick<UpstreamClient, 'fetchList'>
  /** Null for an instance that is alone. */
  share: Share | null
  /** `monotonic` measures how long things take: the other one is set. Both ms. */
  clock: { now: () => number; monotonic: () => number }
  /** Answers that the process once stood still over. */
  hung?: HungAnswers
  /** Lets other work have its turn while a body is read. */
  yieldTurn: () => Promise<void>
}

/** How the three lists are fetched: for this process alone, or together with the other instances. */
export function listFetches(parts: ListFetchesParts): ListFetches & { guards: ShrinkGuards } {
  const { client, share, clock, hung, yieldTurn } = parts
  const guards = createShrinkGuards(clock.monotonic)
  const sourceParts = (list: FeedList) => ({ client, guard: guards[list], hung })
  const fetchOf = <T extends ListContent>(made: ListSource<T>): ListFetch<T> => {
    const source = inTrueTime(made, clock)
    return guarded(source.guard, share === null ? fetchAlone(source) : fetchShared({ share, source, now: clock.now }))
  }
  return {
    askedQuestions: fetchOf(leadSource(sourceParts('asked-questions'), 'asked-question', yieldTurn)),
    declarations: fetchOf(leadSource(sourceParts('declarations-of-interest'), 'declaration-of-interest', yieldTurn)),
    highSchools: fetchOf(highSchoolsSource(sourceParts('high-schools'))),
    guards,
  }
}

/** What was believed, or is doubted, by whichever instance, is so here too. */
function guarded<T>(guard: ShrinkGuard, fetch: ListFetch<T>): ListFetch<T> {
  return async (current, reason) => {
    const outcome = await fetch(current, reason)
    if (outcome.kind === 'fetched') guard.clear()
    else if (outcome.kind !== 'later' && outcome.doubt) guard.hear(outcome.doubt)
    return outcome
  }
}

/** A clock that is set while an answer comes makes it neither older than its asking nor of a time to come. */
function inTrueTime<T>(source: ListSource<T>, { now, monotonic }: ListFetchesParts['clock']): ListSource<T> {
  return {
    ...source,
    fetch: async (current, known) => {
      const before = monotonic()
      const outcome = await source.fetch(current, known)
      if (outcome.kind !== 'fetched') return outcome
      const earliest = now() - (monotonic() - before)
      const askedAt = outcome.askedAt > now() ? earliest : Math.max(outcome.askedAt, earliest)
      return { ...outcome, askedAt }
    },
  }
}

function fetchAlone<T>(source: ListSource<T>): ListFetch<T> {
  let known: Validators = {}
  return async (current) => {
    const outcome = await source.fetch(current, known)
    if (outcome.kind === 'fetched') known = outcome.validators
    return outcome
  }
}

type SharedOptions<T> = { share: Share; source: ListSource<T>; now: () => number }

/** While another instance fetches: when this one reads the share again, should the message of the other not arrive. */
const READ_AGAIN_MS = 2_000

/**
 * Makes the feeds of several instances one: what any of them published is taken over, and only who holds the lock sends
 * a request. What could not be published does not count, so that all go by the same versions.
 */
function fetchShared<T extends ListContent>(options: SharedOptions<T>): ListFetch<T> {
  const { share, source, now } = options
  const parts: Parts<T> = { ...options, seen: { id: '', version: 0 } }
  let wasAway = false

  async function fetchLocked(current: T | null): Promise<FetchOutcome<T>> {
    const lock = await share.lock(source.list)
    try {
      const state = await share.read(source.list)
      const published = await takeOver(parts, state, current)
      if (published) return published
      return lock
        ? await fetchAndPublish(parts, lock, state, current)
        : { kind: 'later', retryAt: now() + READ_AGAIN_MS, isUnderWay: true }
    } finally {
      await lock?.release()
    }
  }

  return async (current, reason) => {
    try {
      // After an outage a message of another instance is reason enough to fetch.
      const isDue = reason === 'due' || wasAway
      const outcome = await (isDue ? fetchLocked(current) : takeOver(parts, await share.read(source.list), current))
      wasAway = false
      return outcome ?? { kind: 'later', retryAt: null }
    } catch (error) {
      if (!(error instanceof ShareUnavailableError)) throw error
      wasAway = true
      const detail = `the shared store (Redis): ${error.message}`
      return { kind: 'unavailable', at: 'redis', detail, retryAfterMs: null }
    }
  }
}

/** `seen`: which publication was seen last, and the version of the content that this instance has. */
type Parts<T> = SharedOptions<T> & { seen: { id: string; version: number } }

/** Takes over what another instance published and this one has not seen yet; null when there is nothing of the kind. */
async function takeOver<T extends ListContent>(
  parts: Parts<T>,
  state: SharedState | null,
  current: T | null,
): Promise<FetchOutcome<T> | null> {
  const { seen } = parts
  if (state === null || state.id === seen.id) return null
  const { id, problem, snapshot } = state
  if (snapshot !== null && snapshot.version > seen.version) return takeOverContent(parts, current)
  if (problem !== null) {
    seen.id = id
    return stillToWait(problem, parts.now())
  }
  // A store that lost its content and was given older one is not believed: versions never go back.
  if (current === null || snapshot?.version !== seen.version) return null
  seen.id = id
  return { ...fetched(current, false, 0), stamp: snapshot }
}

/** Who comes later has less of the wait before them that the service asked for. */
function stillToWait({ failedAt, ...problem }: SharedProblem, now: number): FetchOutcome<never> {
  const { retryAfterMs } = problem
  if (failedAt === undefined || retryAfterMs === null) return problem
  return { ...problem, retryAfterMs: Math.max(0, retryAfterMs - Math.max(0, now - failedAt)) }
}

async function takeOverContent<T extends ListContent>(
  { share, source, seen }: Parts<T>,
  current: T | null,
): Promise<FetchOutcome<T> | null> {
  const whole = await share.readWhole(source.list)
  if (!whole?.state.snapshot) return null
  const { id, problem, snapshot } = whole.state
  const reading = await source.read(whole.body, current)
  // What this instance cannot take over it asks for itself the next time: it may have changed.
  if (!reading.ok && reading.at) seen.id = whole.state.id
  if (!reading.ok) return reading.at ? unreadableAnswer(reading) : null
  seen.version = snapshot.version
  // A problem that came after the content is still to be taken over, the next time.
  if (problem === null) seen.id = id
  const { content, changed, touched } = reading
  return { ...fetched(content, changed, snapshot.bytes), touched, stamp: snapshot }
}

async function fetchAndPublish<T extends ListContent>(
  { source, seen, now }: Parts<T>,
  lock: Lock,
  state: SharedState | null,
  current: T | null,
): Promise<FetchOutcome<T>> {
  const last = state?.snapshot ?? null
  const held = current !== null && last?.version === seen.version ? last : null
  const fetching = await source.fetch(current, held?.validators ?? {})
  if (fetching.kind === 'later') return fetching
  if (fetching.kind !== 'fetched') {
    // A fault of this instance alone.
    if (fetching.at) return fetching
    const problem = { ...fetching, failedAt: now() }
    if (await lock.publish({ problem, snapshot: last }, null)) seen.id = lock.id
    return fetching
  }
  const { body, validators, ...outcome } = fetching
  const fetchedAt = now()
  const isSame = held !== null && !outcome.changed
  const version = isSame ? held.version : Math.max(seen.version + 1, (last?.version ?? 0) + 1, fetchedAt)
  const stamp = { version, startedAt: outcome.askedAt, fetchedAt }
  const snapshot = { ...stamp, bytes: outcome.bytes, validators }
  const isPublished = await lock.publish({ problem: null, snapshot }, isSame ? null : body)
  if (!isPublished) return { kind: 'later', retryAt: now() + READ_AGAIN_MS }
  seen.id = lock.id
  seen.version = version
  return { ...outcome, stamp }
}
