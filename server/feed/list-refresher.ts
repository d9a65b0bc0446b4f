import 'server-only'
import type { Validators } from '@/server/upstream/outcome'
import { type ListSource, unreadableAnswer } from './list-source'
import {
  afterFailure,
  afterOutcome,
  emptyListState,
  type FetchOutcome,
  type ListState,
  nextAfter,
  type Problem,
  type Touched,
} from './list-state'
import { type Publication, type SharedLists, ShareUnavailableError } from './shared-lists'

export type ListRefresher<T> = {
  state: () => ListState<T>
  /** Takes the next turn now unless one is under way; resolves when that one ends. */
  refresh: () => Promise<void>
  /** Reads what the leader has published; nothing on the leader. */
  takeOver: () => void
  /** Fetches at once if by the current interval it is time, and otherwise when it will be. */
  reconsider: () => void
  stop: () => void
}

export type RefresherOptions<T> = {
  source: ListSource<T>
  shared: SharedLists
  /** From one request to the next, ms, after a good answer. */
  intervalMs: (state: ListState<T>) => number
  now: () => number
  /** Calls back once after `delayMs`; answers what cancels it. */
  schedule: (delayMs: number, run: () => void) => () => void
  /** A number in [0, 1): keeps retries out of step. */
  random: () => number
  /** After each change of the state; `isNew` when the content has another version now, and what is different in it. */
  onChange: (state: ListState<T>, isNew: boolean, touched: Touched | null) => void
  /** Of what nobody foresaw; the list goes on all the same. */
  onError: (error: unknown) => void
}

/** Messages of the leader can get lost: as often as this the others read what it has published. */
const FOLLOW_MS = 5_000
/** Whatever goes wrong in saying when: there is always a next time. */
const FALLBACK_MS = 60_000

/**
 * Keeps one list fresh: one fetch at a time, the last good content through every failure, always a next time. Only the instance
 * that leads fetches, and publishes; the others take over. What could not be published does not count, so all have the same versions.
 */
export function createListRefresher<T>(options: RefresherOptions<T>): ListRefresher<T> {
  const { shared, now, intervalMs, onError } = options
  const list = heldList(options)
  /** The lease under which this instance has caught up with what was published; null while another leads. */
  let leading: number | null = null

  /** Answers when the next turn is. */
  async function turn(): Promise<number> {
    const lease = await shared.lead()
    const isCaughtUp = lease.token !== null && lease.token === leading
    if (!isCaughtUp) await follow(list, options)
    leading = lease.token
    if (lease.token === null) return now() + Math.min(FOLLOW_MS, lease.freeInMs)
    const { nextAt } = list.state()
    if (!isCaughtUp && nextAt !== null && nextAt > now()) return nextAt
    if (await fetchAndPublish(list, options, lease.token)) return list.state().nextAt ?? now() + FALLBACK_MS
    leading = null
    return now() + FOLLOW_MS
  }

  function failed(error: unknown): number {
    leading = null
    if (error instanceof ShareUnavailableError) return sayAway(list, error, now())
    onError(error)
    return now() + FALLBACK_MS
  }

  const turns = createTurns(() => turn().catch(failed), options)
  return {
    state: list.state,
    refresh: turns.take,
    takeOver: () => {
      if (leading === null || leading !== shared.token()) turns.takeSoon()
    },
    reconsider: () => {
      const { problem, fetchedAt, nextAt } = list.state()
      if (leading === null || turns.isUnderWay() || problem || fetchedAt === null || nextAt === null) return
      const at = Math.min(nextAt, Math.min(fetchedAt, now()) + intervalMs(list.state()))
      list.plan(at)
      turns.takeAt(at)
    },
    stop: () => {
      list.stop()
      turns.stop()
    },
  }
}

/** One turn at a time, and always a next one: `turn` answers when (ms). */
function createTurns(
  turn: () => Promise<number>,
  { now, schedule }: Pick<RefresherOptions<never>, 'now' | 'schedule'>,
) {
  let underWay: Promise<void> | null = null
  let isWantedSoon = false
  let isStopped = false
  let cancel = () => {}

  function takeAt(at: number): void {
    cancel()
    if (!isStopped) cancel = schedule(Math.max(0, at - now()), () => void take())
  }
  async function takeNow(): Promise<void> {
    cancel()
    isWantedSoon = false
    let at = now() + FALLBACK_MS
    try {
      at = await turn()
    } finally {
      underWay = null
      takeAt(isWantedSoon ? now() : at)
    }
  }
  const take = (): Promise<void> => (isStopped ? Promise.resolve() : (underWay ??= takeNow()))
  return {
    take,
    takeAt,
    /** After the one that is under way, if one is. */
    takeSoon: () => {
      isWantedSoon = true
      void take()
    },
    isUnderWay: () => underWay !== null,
    stop: () => {
      isStopped = true
      cancel()
    },
  }
}

type HeldList<T> = ReturnType<typeof heldList<T>>

/** What this instance has of the list. */
function heldList<T>({ onChange, onError }: Pick<RefresherOptions<T>, 'onChange' | 'onError'>) {
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
    plan: (nextAt: number) => void (state = { ...state, nextAt }),
    stop: () => void (isStopped = true),
    /** With what the service need not send this content again; null while the shared store does not have it either. */
    stored: null as Validators | null,
    /** The publication that was read last. */
    seen: '',
  }
}

/** That the shared store is away: a problem of ours and not of the service. Answers when it is asked again. */
function sayAway<T>(list: HeldList<T>, { message }: ShareUnavailableError, now: number): number {
  const nextAt = now + FOLLOW_MS
  const detail = `the shared store (Redis): ${message}`
  const outage = { kind: 'unavailable' as const, at: 'redis' as const, detail, retryAfterMs: null }
  if (list.state().problem?.detail === detail) list.plan(nextAt)
  else list.show({ ...afterFailure(list.state(), outage, now, now), nextAt })
  return nextAt
}

/** Takes over what the leader has published. Versions never go back: a store that lost its content and has an older one is not believed. */
async function follow<T>(list: HeldList<T>, options: RefresherOptions<T>): Promise<void> {
  const { source, shared } = options
  const before = list.state()
  const published = await shared.read(source.list, before.version)
  if (published?.id === list.seen) return
  list.stored = null
  if (published === null || published.state.version < before.version) return
  const { state } = published
  if (state.problem?.doubt) source.guard.hear(state.problem.doubt)
  if (state.version === before.version) list.show({ ...state, content: before.content })
  else if (!(await takeOverContent(list, published, options))) return
  if (list.state().version === state.version) list.stored = published.validators
  list.seen = published.id
}

/** False where it cannot be read, and is to be tried again. */
async function takeOverContent<T>(
  list: HeldList<T>,
  { state, body }: Publication,
  { source, now }: RefresherOptions<T>,
): Promise<boolean> {
  const before = list.state()
  const reading = body === null ? null : await source.read(body, before.content)
  if (reading?.ok) list.show({ ...state, content: reading.content }, reading.touched)
  else if (reading?.at)
    list.show({ ...afterFailure(before, unreadableAnswer(reading), now(), now()), nextAt: state.nextAt })
  return reading !== null && (reading.ok || reading.at !== undefined)
}

/** One request at most. False, changing nothing, when another instance leads by now. */
async function fetchAndPublish<T>(list: HeldList<T>, options: RefresherOptions<T>, token: number): Promise<boolean> {
  const { source, shared, now } = options
  const { nextAt: dueAt } = list.state()
  const startedAt = now()
  const slow = watchSlow(list, options, token)
  const outcome = await fetchSafely(list, options)
  const next = afterOutcome(slow.end(outcome), outcome, startedAt, now())
  const state = { ...next, nextAt: nextSafely(outcome, next, dueAt, options) }
  if (outcome.kind === 'later' && state.problem === list.state().problem) {
    list.plan(state.nextAt)
    return true
  }
  const good = outcome.kind === 'fetched' ? outcome : null
  const validators = good?.validators ?? list.stored ?? {}
  const body = good && (good.changed || list.stored === null) ? good.body : null
  const published = await shared.publish(source.list, token, { state: withoutContent(state), validators }, body)
  if (published === 'refused') return false
  list.stored = published === 'without body' ? null : validators
  if (good) source.guard.clear()
  list.show(state, good?.touched ?? null)
  return true
}

function withoutContent<T>(state: ListState<T>): Publication['state'] {
  return { ...state, content: undefined } as Publication['state']
}

async function fetchSafely<T>(list: HeldList<T>, { source, onError }: RefresherOptions<T>): Promise<FetchOutcome<T>> {
  try {
    return await source.fetch(list.state().content, list.stored ?? {})
  } catch (error) {
    onError(error)
    return { kind: 'unavailable', detail: 'an error within Intag', retryAfterMs: null }
  }
}

function nextSafely<T>(
  outcome: FetchOutcome<T>,
  state: ListState<T>,
  dueAt: number | null,
  { now, intervalMs, random, onError }: RefresherOptions<T>,
): number {
  try {
    const at = nextAfter(outcome, state, dueAt, { now: now(), intervalMs, random: random() })
    if (Number.isFinite(at)) return at
    throw new RangeError('no moment to fetch at')
  } catch (error) {
    onError(error)
    return now() + FALLBACK_MS
  }
}

const SLOW_MS = 10_000
const SLOWEST_MS = 30_000

/**
 * Says while a fetch lasts that it is slow, since it was due: an answer that hangs or drips may end minutes later, or never. Twice
 * as long as the last good one is slow, but not ten seconds, and always half a minute.
 */
function watchSlow<T>(list: HeldList<T>, { source, shared, now, schedule }: RefresherOptions<T>, token: number) {
  const { nextAt, fetchMs } = list.state()
  const detail = 'the answer is slow to come'
  const slow: Problem = { kind: 'unavailable', detail, since: Math.min(now(), nextAt ?? Infinity) }
  const cancel = schedule(Math.min(SLOWEST_MS, Math.max(SLOW_MS, 2 * fetchMs)), () => {
    const state = { ...list.state(), problem: list.state().problem ?? slow, nextAt: null }
    list.show(state)
    const publication = { state: withoutContent(state), validators: list.stored ?? {} }
    void shared.publish(source.list, token, publication, null).catch(() => {})
  })
  return {
    /** The state without it where nothing was asked after all. */
    end(outcome: FetchOutcome<T>): ListState<T> {
      cancel()
      const state = list.state()
      return outcome.kind === 'later' && state.problem === slow ? { ...state, problem: null } : state
    },
  }
}
