import 'server-only'
import type { ListAttempt, ListSource } from './attempts'
import type { ListContent } from './list-reader'
import type { Attempt } from './list-refresher'
import { type Share, type SharedState, ShareUnavailableError, type Turn } from './share'

export type SharedAttemptOptions<T> = { share: Share; source: ListSource<T>; now: () => number }

/** While another instance fetches: how long until one looks again, should its news not be heard. */
const LOOK_AGAIN_MS = 2_000

/**
 * Makes the feeds of several instances one: what any of them was told last is taken over, and only who has the turn
 * sends a request. What could not be told to the others does not count, so that all go by the same versions.
 */
export function sharedAttempt<T extends ListContent>(options: SharedAttemptOptions<T>): ListAttempt<T> {
  const { share, source, now } = options
  const parts: Parts<T> = { ...options, seen: { id: '', version: 0 } }
  let wasAway = false

  async function inTurn(current: T | null): Promise<Attempt<T>> {
    const turn = await share.takeTurn(source.list)
    try {
      const state = await share.read(source.list)
      const news = await takenOver(parts, state, current)
      if (news) return news
      return turn ? await fetched(parts, turn, state, current) : { kind: 'later', retryAt: now() + LOOK_AGAIN_MS }
    } finally {
      await turn?.release()
    }
  }

  return async (current, why) => {
    try {
      // News after an outage is that it is over.
      const isDue = why === 'due' || wasAway
      const attempt = await (isDue ? inTurn(current) : takenOver(parts, await share.read(source.list), current))
      wasAway = false
      return attempt ?? { kind: 'later', retryAt: null }
    } catch (error) {
      if (!(error instanceof ShareUnavailableError)) throw error
      wasAway = true
      return { kind: 'unavailable', detail: `the shared store (Redis): ${error.message}`, retryAfterMs: null }
    }
  }
}

/** `seen`: the turn that was told of last, and the version of the content that this instance has. */
type Parts<T> = SharedAttemptOptions<T> & { seen: { id: string; version: number } }

/** What another instance was told and this one has not heard yet; null when there is nothing of the kind. */
async function takenOver<T extends ListContent>(
  parts: Parts<T>,
  state: SharedState | null,
  current: T | null,
): Promise<Attempt<T> | null> {
  const { seen } = parts
  if (state === null || state.id === seen.id) return null
  const { id, problem, snapshot } = state
  if (snapshot !== null && snapshot.version > seen.version) return contentTakenOver(parts, current)
  if (problem !== null) {
    seen.id = id
    return problem
  }
  // A store that lost its content and was given older one is not believed: versions never go back.
  if (current === null || snapshot?.version !== seen.version) return null
  seen.id = id
  return { ...unchanged(current), agreed: snapshot }
}

async function contentTakenOver<T extends ListContent>(
  { share, source, seen }: Parts<T>,
  current: T | null,
): Promise<Attempt<T> | null> {
  const whole = await share.readWhole(source.list)
  if (!whole?.state.snapshot) return null
  const { id, problem, snapshot } = whole.state
  const reading = await source.read(whole.body, current)
  if (!reading.ok) return null
  seen.version = snapshot.version
  // A problem that came after the content is still news, for the next time.
  if (problem === null) seen.id = id
  const { content, changed } = reading
  return { ...unchanged(content), changed, bytes: snapshot.bytes, agreed: snapshot }
}

async function fetched<T extends ListContent>(
  { source, seen, now }: Parts<T>,
  turn: Turn,
  state: SharedState | null,
  current: T | null,
): Promise<Attempt<T>> {
  const last = state?.snapshot ?? null
  const held = current !== null && last?.version === seen.version ? last : null
  const startedAt = now()
  const fetching = await source.fetch(current, held?.validators ?? {})
  if (fetching.kind === 'later') return fetching
  if (fetching.kind !== 'fetched') {
    if (await turn.tell({ problem: fetching, snapshot: last }, null)) seen.id = turn.id
    return fetching
  }
  const { body, validators, ...attempt } = fetching
  const fetchedAt = now()
  const isSame = held !== null && !attempt.changed
  const version = isSame ? held.version : Math.max(seen.version + 1, (last?.version ?? 0) + 1, fetchedAt)
  const agreed = { version, startedAt, fetchedAt }
  const snapshot = { ...agreed, bytes: attempt.bytes, validators }
  const isTold = await turn.tell({ problem: null, snapshot }, isSame ? null : body)
  if (!isTold) return { kind: 'later', retryAt: now() + LOOK_AGAIN_MS }
  seen.id = turn.id
  seen.version = version
  return { ...attempt, agreed }
}

function unchanged<T extends ListContent>(content: T) {
  return { kind: 'fetched' as const, content, changed: false, unreadable: content.unreadable.length, bytes: 0 }
}
