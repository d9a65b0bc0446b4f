import { expect, test } from 'vitest'
import { createVirtualTime } from '@/server/feed/testing/virtual-time'
import { createListRefresher } from './list-refresher'
import { createEmptyListState, type FetchOutcome } from './list-state'
import { createPublishedList } from './published-list'
import { singleInstanceLists } from './shared-lists'
import { toSnapshotInfo } from './snapshot-info'

const START = Date.UTC(2026, 10, 20, 7)
const at = (seconds: number) => new Date(START + seconds * 1_000).toISOString()

const good = (content: string, changed = true): FetchOutcome<string> => {
  return { kind: 'fetched', content, isChanged: changed, unreadable: 0, requestedAt: START, body: null, validators: {} }
}
const refused: FetchOutcome<string> = { kind: 'unauthorized', detail: 'status 403', retryAfterMs: null }
const down: FetchOutcome<string> = { kind: 'unavailable', detail: 'time-out', retryAfterMs: null }
const later = (seconds: number): FetchOutcome<string> => ({ kind: 'no-budget', retryAt: START + seconds * 1_000 })

/** A list that is fetched from now on: `asked` is when, `seen` what streams hear of it, in seconds of true time. */
function world(...answers: (FetchOutcome<string> | Error)[]) {
  const time = createVirtualTime(START)
  const its = { aheadMs: 0, answers, answerSeconds: 0, fails: false }
  const seconds = () => (time.now() - START) / 1_000
  const now = () => time.now() + its.aheadMs
  const [asked, seen] = [[] as number[], [] as string[]]
  const fetch = async () => {
    asked.push(seconds())
    const requestedAt = now()
    if (its.answerSeconds > 0)
      await new Promise<void>((resolve) => time.scheduleAfter(its.answerSeconds * 1_000, resolve))
    const answer = its.answers.shift() ?? good('same', false)
    if (answer instanceof Error) throw answer
    return { ...answer, requestedAt }
  }
  const refresher = createListRefresher<string>({
    sharedLists: singleInstanceLists,
    random: () => 0,
    source: {
      list: 'high-schools',
      fetch,
      read: () => Promise.reject(new Error('nothing is shared')),
    },
    getIntervalMs: () => {
      if (its.fails) throw new Error('no interval')
      return 10_000
    },
    now,
    schedule: time.scheduleAfter,
    onChange: ({ content, problem }) => {
      seen.push(`${seconds()} s: ${[content ?? 'nothing', problem?.kind ?? []].flat().join(', ')}`)
      if (its.fails) throw new Error('a listener')
    },
    onError: (error) => seen.push(String(error)),
  })
  async function runUntil(until: number): Promise<void> {
    time.scheduleAt(START + until * 1_000, () => {})
    do for (let turn = 0; turn < 30; turn++) await Promise.resolve()
    while (seconds() < until && time.step())
  }
  void refresher.refresh()
  return {
    its,
    refresher,
    asked,
    seen,
    runUntil,
    state: refresher.state,
    info: () => toSnapshotInfo(refresher.state()),
  }
}

test('fetches, plans the next fetch, and says how fresh the content is and whether it is another', async () => {
  const { seen, info, runUntil } = world(good('monday'), good('monday', false), good('tuesday'))
  await runUntil(1)
  const rest = { stale: false, problem: null, unreadable: 0 }
  expect(info()).toEqual({ fetchedAt: at(0), nextAt: at(10), version: START, ...rest })
  await runUntil(11)
  expect(info()).toEqual({ fetchedAt: at(10), nextAt: at(20), version: START, ...rest })
  await runUntil(21)
  expect(info()?.version).toBeGreaterThan(START)
  expect(seen).toEqual(['0 s: monday', '10 s: monday', '20 s: tuesday'])
})

test('a hundred callers at once are one request', async () => {
  const { its, refresher, asked, runUntil } = world()
  its.answerSeconds = 1
  const callers = Array.from({ length: 100 }, () => refresher.refresh())
  await runUntil(2)
  await Promise.all(callers)
  expect(asked).toEqual([0])
})

test('the last good content stays through every failure, also one that nobody foresaw, with the reason and since when', async () => {
  const { seen, info, runUntil } = world(good('monday'), down, new Error('unforeseen'), good('tuesday'))
  await runUntil(16)
  expect(info()).toMatchObject({ stale: true, fetchedAt: at(0), problem: { kind: 'unavailable', since: at(10) } })
  await runUntil(26)
  expect(info()).toMatchObject({ stale: false, problem: null })
  const failures = ['10 s: monday, unavailable', 'Error: unforeseen', '15 s: monday, unavailable']
  expect(seen).toEqual(['0 s: monday', ...failures, '25 s: tuesday'])
})

test('an error of a listener ends nothing, and after one of the interval the next fetch comes in a minute', async () => {
  const { its, asked, seen, runUntil } = world(good('monday'), down)
  await runUntil(1)
  its.fails = true
  await runUntil(136)
  expect(asked).toEqual([0, 10, 15, 75, 135])
  expect(seen.slice(1, 4)).toEqual(['10 s: monday, unavailable', 'Error: a listener', 'Error: no interval'])
})

test('without budget there is no problem to show; it is tried again when there is some', async () => {
  const { seen, asked, runUntil } = world(good('monday'), later(60), good('tuesday'))
  await runUntil(61)
  expect(asked).toEqual([0, 10, 60])
  expect(seen).toEqual(['0 s: monday', '60 s: tuesday'])
})

test('before the first answer a wait of more than five seconds is a problem to show', async () => {
  const { seen, state, runUntil } = world(later(3), later(603))
  await runUntil(4)
  expect(state()).toMatchObject({ problem: { kind: 'rate-limited' }, nextAt: START + 603_000 })
  expect(seen).toEqual(['3 s: nothing, rate-limited'])
})

test('a clock that is set back moves no plan and delays no fetch', async () => {
  const { its, refresher, asked, runUntil } = world()
  await runUntil(0)
  its.aheadMs = -600_000
  refresher.reschedule()
  await runUntil(11)
  expect(asked).toEqual([0, 10])
})

test.each<[string, FetchOutcome<string>[], number[]]>([
  ['slow down to a minute', [down, down, down, down, down, down], [0, 5, 15, 35, 75, 135, 195]],
  ['wait as long as the service says', [{ ...down, retryAfterMs: 90_000 }], [0, 90]],
  ['wait as long after 429', [{ kind: 'rate-limited', detail: 'status 429', retryAfterMs: 90_000 }], [0, 90]],
  [
    'come soon after the token was refused, then rarely',
    [good('monday'), refused, refused, refused, refused, refused, refused],
    [0, 10, 30, 70, 150, 310, 610, 910],
  ],
])('retries %s', async (_, answers, moments) => {
  const { asked, runUntil } = world(...answers)
  await runUntil((moments.at(-1) ?? 0) + 1)
  expect(asked).toEqual(moments)
})

test('after a stop nothing is fetched, planned or said', async () => {
  const { its, refresher, asked, seen, runUntil } = world()
  its.answerSeconds = 60
  await runUntil(1)
  refresher.stop()
  await runUntil(100)
  await refresher.refresh()
  expect([asked, seen]).toEqual([[0], []])
})

test('an answer is shown before it is published, and withdrawn when it is refused', async () => {
  const database = Promise.withResolvers<'published'>()
  const unused = () => Promise.reject(new Error('not asked'))
  const list = createPublishedList<string>({
    source: { list: 'high-schools', fetch: unused, read: unused },
    sharedLists: { ...singleInstanceLists, publish: async (_, token) => (token === 1 ? database.promise : 'refused') },
    onChange: () => {},
    onError: () => {},
  })
  const publishing = list.publish(
    1,
    { ...createEmptyListState<string>(), content: 'monday', version: 1 },
    good('monday'),
  )
  expect(list.state().content).toBe('monday')
  database.resolve('published')
  expect(await publishing).toBe(true)
  const isPublished = await list.publish(2, { ...list.state(), content: 'tuesday', version: 2 }, good('tuesday'))
  expect([isPublished, list.state().content]).toEqual([false, 'monday'])
})

test('an answer is as old as the asking for it, however long the service drips', async () => {
  const slow = world()
  slow.its.answerSeconds = 8
  await slow.runUntil(8.5)
  expect(slow.info()).toMatchObject({ fetchedAt: at(0), nextAt: at(10) })
  await slow.runUntil(18.5)
  expect(slow.info()).toMatchObject({ fetchedAt: at(10), nextAt: at(20) })
})
