import 'server-only'
import { setImmediate } from 'node:timers/promises'
import type { FeedList } from '@/lib/contract/lists'
import { declaration, question } from '@/lib/leads/testing/leads'
import { createFeed, type Feed } from '@/server/feed/feed'
import { createListSources } from '@/server/feed/list-source'
import type { ListState } from '@/server/feed/list-state'
import type { UpstreamClient } from '../client'
import { createMemoryLists } from './memory-lists'
import { createVirtualTime, type VirtualTime } from './virtual-time'

const LOOK_MS = 30_000

export type Instance = { feed: Feed; details: string[]; kill: () => void }

type BeginOptions = { subscribes?: boolean; looks?: boolean; aheadMs?: number }

/** Several instances that a user looks at all the time, the service they read, and what they share. */
export function sharedWorld(start: number, leaseMs: number) {
  const time = createVirtualTime(start)
  const upstream = countingService(time)
  const store = createMemoryLists({ now: time.now, leaseMs })

  /** `aheadMs`: by how much the clock of this instance is wrong. */
  function begin(name: string, { subscribes = true, looks = true, aheadMs = 0 }: BeginOptions = {}): Instance {
    let isDead = false
    const shared = store.connect(() => aheadMs)
    const now = () => time.now() + aheadMs
    const details: string[] = []
    const client = upstream.clientOf(name, () => isDead, now)
    const clock = { now, monotonic: time.now }
    const feed = createFeed({
      sources: createListSources({ client, clock, yieldTurn: () => Promise.resolve() }),
      shared: subscribes ? shared : { ...shared, subscribe: () => {} },
      requestsPerHour: () => 558,
      now,
      schedule: time.after,
      random: () => 0,
      onChange: (_list, { problem }) => void (problem && details.push(problem.detail)),
      onError: (list, error) => details.push(`${list}: ${String(error)}`),
    })
    const look = () => {
      if (isDead) return
      feed.markWatched()
      time.after(LOOK_MS, look)
    }
    const renew = () => {
      if (isDead) return
      if (shared.token() !== null) shared.lead().catch(() => {})
      time.after(leaseMs / 3, renew)
    }
    feed.start()
    renew()
    if (looks) look()
    const kill = () => {
      isDead = true
      feed.stop()
    }
    return { feed, details, kill }
  }

  async function run(durationMs: number): Promise<void> {
    const end = time.now() + durationMs
    time.at(end, () => {})
    do for (let turn = 0; turn < 12; turn++) await setImmediate()
    while (time.now() < end && time.step())
  }

  return { ...upstream, store, begin, run }
}

/** What a reader sees of a list, the same on every instance. */
export function visibleState({ version, fetchedAt, problem }: ListState<unknown>) {
  return { version, fetchedAt, problem: problem?.kind ?? null }
}

const REQUEST_MS = 400

type Answer = Awaited<ReturnType<UpstreamClient['fetchList']>>
type Sent = { by: string; list: FeedList; at: number; etag: string | undefined }

/** A service that answers in virtual time, knows validators, and writes down who asked (`at`: ms since the start). */
function countingService(time: VirtualTime) {
  const start = time.now()
  const requests: Sent[] = []
  const service = { ids: ['a'], status: 200, answerMs: REQUEST_MS }

  function answer(list: FeedList, known: string | undefined, course: { startedAt: number }): Answer {
    const { ids, status } = service
    if (status !== 200) return { ok: false, kind: 'unavailable', detail: `status ${status}` }
    const etag = `"${ids.join()}"`
    const rest = { ...course, validators: { etag } }
    return { ok: true, body: known === etag ? null : bodyOf(list, ids), ...rest }
  }

  return {
    service,
    requests,
    requestsFor: (list: FeedList) => requests.filter((request) => request.list === list),
    /** How one instance asks; after its death no answer reaches it. */
    clientOf: (by: string, isDead: () => boolean, now = time.now): Pick<UpstreamClient, 'fetchList'> => ({
      fetchList: (list, validators) => {
        requests.push({ by, list, at: time.now() - start, etag: validators?.etag })
        const startedAt = now()
        return new Promise((resolve) => {
          const end = () => resolve(answer(list, validators?.etag, { startedAt }))
          time.after(service.answerMs, () => void (isDead() || end()))
        })
      },
    }),
  }
}

const MOMENT = { createdAt: '2026-11-19T10:00:00.000Z' }

export const bodyOf = (list: FeedList, ids: readonly string[]): Buffer =>
  Buffer.from(JSON.stringify({ [LISTS_FIELD[list]]: ids.map(RECORD[list]) }))

const LISTS_FIELD = {
  'asked-questions': 'askedQuestions',
  'declarations-of-interest': 'declarationsOfInterest',
  'high-schools': 'highSchools',
} as const
const RECORD: Record<FeedList, (id: string) => object> = {
  'asked-questions': (id) => question(id, MOMENT),
  'declarations-of-interest': (id) => declaration(id, MOMENT),
  'high-schools': (id) => ({ id, name: `Skola ${id}` }),
}
