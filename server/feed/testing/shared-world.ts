import { setImmediate } from 'node:timers/promises'
import type { FeedList } from '@/lib/contract/lists'
import { declaration, question } from '@/lib/leads/testing/leads'
import { createFeed, type Feed } from '@/server/feed/feed'
import { createListSources } from '@/server/feed/list-source'
import type { ListState } from '@/server/feed/list-state'
import { LEASE_MS } from '@/server/feed/shared-lists'
import type { FailedFetch, UpstreamClient } from '../client'
import { createMemoryLists } from './memory-lists'
import { createVirtualTime } from './virtual-time'

export const START = Date.UTC(2026, 10, 20, 7)
const WATCH_INTERVAL_MS = 30_000
const ANSWER_MS = 400

export type Instance = { feed: Feed; details: string[]; kill: () => void }

type SentRequest = { instance: string; list: FeedList; sentAtMs: number; etag: string | undefined }

/** Several instances, the lists they share, and the service that they read in virtual time. */
export function createSharedWorld() {
  const time = createVirtualTime(START)
  const store = createMemoryLists({ now: time.now, leaseMs: LEASE_MS })
  const requests: SentRequest[] = []
  const service = { ids: ['a'], failure: null as FailedFetch | null, answerMs: ANSWER_MS }
  const openFetches = new Set<string>()

  type Answer = Awaited<ReturnType<UpstreamClient['fetchList']>>
  function answer(list: FeedList, knownEtag: string | undefined): Answer {
    const { ids, failure } = service
    if (failure) return failure
    const etag = `"${ids.join()}"`
    return { ok: true, validators: { etag }, body: knownEtag === etag ? null : createBody(list, ids) }
  }

  /** Unless `isWatched` is false, a user looks at the instance all the time. Once killed, it gets no more answers. */
  function startInstance(name: string, { subscribes = true, isWatched = true } = {}): Instance {
    let isDead = false
    const { now } = time
    const shared = store.connect()
    const details: string[] = []
    const fetchList: UpstreamClient['fetchList'] = (list, validators) => {
      requests.push({ instance: name, list, sentAtMs: time.now() - START, etag: validators?.etag })
      if (openFetches.has(name + list)) throw new Error(`${name} fetches ${list} twice at a time`)
      openFetches.add(name + list)
      return new Promise((resolve) =>
        time.scheduleAfter(service.answerMs, () => {
          openFetches.delete(name + list)
          if (!isDead) resolve(answer(list, validators?.etag))
        }),
      )
    }
    const feed = createFeed({
      sources: createListSources({ client: { fetchList }, clock: { now, monotonic: now } }),
      sharedLists: subscribes ? shared : { ...shared, subscribe: () => {} },
      requestsPerHour: 558,
      now,
      schedule: time.scheduleAfter,
      random: () => 0,
      onChange: (_list, { problem }) => void (problem && details.push(problem.detail)),
      onError: (list, error) => details.push(`${list}: ${String(error)}`),
    })
    const repeat = (everyMs: number, action: () => void) => {
      if (isDead) return
      action()
      time.scheduleAfter(everyMs, () => repeat(everyMs, action))
    }
    feed.start()
    repeat(LEASE_MS / 3, () => void (shared.fencingToken() !== null && shared.acquireLease().catch(() => {})))
    if (isWatched) repeat(WATCH_INTERVAL_MS, feed.markWatched)
    const kill = () => {
      isDead = true
      feed.stop()
    }
    return { feed, details, kill }
  }

  async function run(durationMs: number): Promise<void> {
    const end = time.now() + durationMs
    time.scheduleAt(end, () => {})
    do for (let turn = 0; turn < 12; turn++) await setImmediate()
    while (time.now() < end && time.step())
  }

  const requestsFor = (list: FeedList) => requests.filter((request) => request.list === list)
  return { service, requests, requestsFor, store, startInstance, run }
}

/** Returns what a user sees of a list, which is the same on every instance. */
export function toVisibleState({ version, fetchedAt, problem }: ListState<unknown>) {
  return { version, fetchedAt, problem: problem?.kind ?? null }
}

function createBody(list: FeedList, ids: readonly string[]): Buffer {
  const moment = { createdAt: '2026-11-19T10:00:00.000Z' }
  const lists = {
    'asked-questions': { askedQuestions: ids.map((id) => question(id, moment)) },
    'declarations-of-interest': { declarationsOfInterest: ids.map((id) => declaration(id, moment)) },
    'high-schools': { highSchools: ids.map((id) => ({ id })) },
  }
  return Buffer.from(JSON.stringify(lists[list]))
}
