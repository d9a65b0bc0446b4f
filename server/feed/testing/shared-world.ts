import 'server-only'
import { setImmediate } from 'node:timers/promises'
import type { FeedList } from '@/lib/contract/lists'
import { createFeed, type Feed } from '@/server/feed/feed'
import type { ListState } from '@/server/feed/list-refresher'
import { listFetches } from '@/server/feed/shared-fetch'
import type { UpstreamClient } from '@/server/upstream/client'
import { breakableShare } from './memory-share'
import { createVirtualTime, type VirtualTime } from './virtual-time'

const LOOK_MS = 30_000

export type Instance = { feed: Feed; details: string[]; kill: () => void }

/** Several instances that somebody looks at all the time, the service they read, and the share between them. */
export function sharedWorld(start: number, lockMs: number) {
  const time = createVirtualTime(start)
  const upstream = countingService(time)
  const share = breakableShare(time.now, lockMs)

  function begin(name: string, { subscribes = true } = {}): Instance {
    let isDead = false
    const mine = share.connect()
    const details: string[] = []
    const feed = createFeed({
      fetches: listFetches({
        client: upstream.clientOf(name, () => isDead),
        share: mine,
        now: time.now,
        yieldTurn: () => Promise.resolve(),
      }),
      requestsPerHour: () => 558,
      now: time.now,
      schedule: time.after,
      random: () => 0,
      onChange: (_list, { problem }) => void (problem && details.push(problem.detail)),
    })
    const look = () => {
      if (isDead) return
      feed.markWatched()
      time.after(LOOK_MS, look)
    }
    if (subscribes) mine.subscribe((list) => void (isDead || feed.takeOver(list)))
    feed.start()
    look()
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

  return { ...upstream, share, begin, run }
}

/** What a reader sees of a list, the same on every instance. */
export function visibleState({ version, fetchedAt, problem }: ListState<unknown>) {
  return { version, fetchedAt, problem: problem?.kind ?? null }
}

const REQUEST_MS = 400
const CREATED_AT = '2026-11-19T10:00:00.000Z'

type Answer = Awaited<ReturnType<UpstreamClient['fetchList']>>
type Sent = { by: string; list: FeedList; at: number; etag: string | undefined }

/** A service that answers in virtual time, knows validators, and writes down who asked (`at`: ms since the start). */
function countingService(time: VirtualTime) {
  const start = time.now()
  const requests: Sent[] = []
  const service = { ids: ['a'], status: 200 }

  function answer(list: FeedList, known: string | undefined): Answer {
    const { ids, status } = service
    if (status !== 200) return { ok: false, kind: 'unavailable', detail: `status ${status}` }
    const etag = `"${ids.join()}"`
    const course = { startedAt: time.now() - REQUEST_MS, finishedAt: time.now(), validators: { etag } }
    if (known === etag) return { ok: true, notModified: true, bytes: 0, ...course }
    const body = Buffer.from(JSON.stringify({ [FIELD[list]]: ids.map(RECORD[list]) }))
    return { ok: true, notModified: false, body, bytes: body.byteLength, ...course }
  }

  return {
    service,
    requests,
    requestsFor: (list: FeedList) => requests.filter((request) => request.list === list),
    /** How one instance asks; after its death no answer reaches it. */
    clientOf: (by: string, isDead: () => boolean): Pick<UpstreamClient, 'fetchList'> => ({
      fetchList: (list, { validators } = {}) => {
        requests.push({ by, list, at: time.now() - start, etag: validators?.etag })
        return new Promise((resolve) => {
          time.after(REQUEST_MS, () => void (isDead() || resolve(answer(list, validators?.etag))))
        })
      },
    }),
  }
}

const FIELD = {
  'asked-questions': 'askedQuestions',
  'declarations-of-interest': 'declarationsOfInterest',
  'high-schools': 'highSchools',
} as const
const RECORD: Record<FeedList, (id: string) => object> = {
  'asked-questions': (id) => ({
    id,
    highSchoolId: 's',
    highSchoolName: 'Norra',
    createdAt: CREATED_AT,
    question: 'När?',
    sender: { mode: 'email', email: 'a@b.test', phone: null },
  }),
  'declarations-of-interest': (id) => ({
    id,
    highSchoolId: 's',
    createdAt: CREATED_AT,
    user: {
      firstName: 'Åsa',
      lastName: 'Ek',
      email: 'a@b.test',
      phone: '+46701234567',
      highSchoolEnrollmentYear: 2027,
    },
  }),
  'high-schools': (id) => ({ id, name: `Skola ${id}` }),
}
