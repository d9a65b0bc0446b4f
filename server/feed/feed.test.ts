import { beforeEach, expect, test } from 'vitest'
import type { LeadKind } from '@/lib/contract/lead'
import type { FeedList } from '@/lib/contract/lists'
import { createFeed, currentSnapshot } from './feed'
import { readLeads } from './ingest'
import type { HighSchoolList, ListSource } from './list-source'
import { emptyListState, type ListState } from './list-state'
import { aloneWithLists } from './shared-lists'
import { createShrinkGuard } from './shrink-guard'

const START = Date.UTC(2026, 10, 20, 7)
const MINUTE = 60_000

const noQuestions = await emptyList('asked-question', '{"askedQuestions":[]}')
const noDeclarations = await emptyList('declaration-of-interest', '{"declarationsOfInterest":[]}')

/** A feed whose clock moves only by `run`, and the requests it made, by list. */
function world() {
  let now = START
  let timers: { at: number; run: () => void }[] = []
  const asked: Record<FeedList, number[]> = {
    'asked-questions': [],
    'declarations-of-interest': [],
    'high-schools': [],
  }
  const source = <T>(list: FeedList, content: T): ListSource<T> => ({
    list,
    fetch: async () => {
      asked[list].push(now - START)
      const sent = { bytes: 2, body: null, validators: {}, askedAt: now }
      return { kind: 'fetched', content, changed: false, unreadable: 0, ...sent }
    },
    read: () => Promise.reject(new Error('nothing is shared')),
    guard: createShrinkGuard(() => now),
  })
  const feed = createFeed({
    sources: {
      askedQuestions: source('asked-questions', noQuestions),
      declarations: source('declarations-of-interest', noDeclarations),
      highSchools: source<HighSchoolList>('high-schools', { highSchools: [], unreadable: [] }),
    },
    shared: aloneWithLists,
    requestsPerHour: () => 558,
    now: () => now,
    schedule: (delayMs, call) => {
      const timer = { at: now + delayMs, run: call }
      timers.push(timer)
      return () => (timers = timers.filter((other) => other !== timer))
    },
    random: () => 0,
    onChange: () => {},
    onError: (_list, error) => {
      throw error
    },
  })
  /** Lets `durationMs` pass; `looking` looks every ten seconds. */
  async function run(durationMs: number, looking: boolean): Promise<void> {
    const end = now + durationMs
    let nextLook = looking ? now : Infinity
    for (;;) {
      const [next] = timers.toSorted((a, b) => a.at - b.at)
      const at = Math.min(next?.at ?? Infinity, nextLook)
      if (at > end) break
      now = Math.max(now, at)
      if (nextLook <= now) {
        feed.markWatched()
        nextLook += 10_000
      } else if (next) {
        timers = timers.filter((timer) => timer !== next)
        next.run()
        await settle()
      }
    }
    now = end
  }
  return { feed, asked, run, timers: () => timers.length }
}

async function emptyList<K extends LeadKind>(kind: K, body: string) {
  const reading = await readLeads({ kind, body: Buffer.from(body), yield: () => Promise.resolve() })
  if (!reading.ok) throw new Error(reading.detail)
  return reading.list
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

let its: ReturnType<typeof world>
beforeEach(() => {
  its = world()
})

test('starts with one request for each list and is then ready', async () => {
  await its.feed.ready(1_000)
  expect(its.asked).toEqual({ 'asked-questions': [0], 'declarations-of-interest': [0], 'high-schools': [0] })
  expect(its.timers()).toBe(3)
})

test('while somebody looks the hour’s requests are spent evenly, and no more than them', async () => {
  await its.feed.ready(1_000)
  await its.run(60 * MINUTE, true)
  const { 'asked-questions': questions, 'declarations-of-interest': declarations, 'high-schools': schools } = its.asked
  expect(questions.length + declarations.length + schools.length).toBeGreaterThan(0.97 * 558)
  expect(questions.length + declarations.length + schools.length).toBeLessThanOrEqual(561)
  expect(schools.length).toBeLessThanOrEqual(7)
})

test('while nobody looks it is slow', async () => {
  await its.feed.ready(1_000)
  await its.run(60 * MINUTE, false)
  expect(its.asked['declarations-of-interest'].length).toBeLessThanOrEqual(13)
})

test('the first look after a quiet time fetches at once', async () => {
  await its.feed.ready(1_000)
  await its.run(58 * MINUTE, false)
  const before = its.asked['declarations-of-interest'].length
  await its.run(100, true)
  expect(its.asked['declarations-of-interest']).toHaveLength(before + 1)
})

test('after a stop nothing is asked for any more', async () => {
  await its.feed.ready(1_000)
  its.feed.stop()
  expect(its.timers()).toBe(0)
  await its.run(60 * MINUTE, true)
  expect(its.asked['declarations-of-interest']).toHaveLength(1)
})

test('who reads before there is anything is told why, and when it is asked for again', async () => {
  const { feed } = its
  const parts = { markWatched: feed.markWatched, ready: () => Promise.resolve() }
  const problem = { kind: 'rate-limited', since: 0, detail: 'status 429' } as const
  const read = (state: Partial<ListState<never>>) =>
    currentSnapshot(parts, () => ({ ...emptyListState<never>(), ...state }))
  await expect(read({})).rejects.toMatchObject({ message: 'The first data is on its way', retryAfterSeconds: 5 })
  const waiting = read({ problem, nextAt: Date.now() + 599_500 })
  await expect(waiting).rejects.toMatchObject({
    message: 'No data yet: rate-limited. Asked for again in 600 s',
    retryAfterSeconds: 600,
  })
  await expect(read({ problem, nextAt: null })).rejects.toMatchObject({ retryAfterSeconds: 5 })
})
