import { beforeEach, describe, expect, test } from 'vitest'
import { createVirtualTime } from '@/server/feed/testing/virtual-time'
import { createListRefresher } from './list-refresher'
import type { ListSource } from './list-source'
import { emptyListState, type FetchOutcome, nextAfter, snapshotInfo } from './list-state'
import { aloneWithLists } from './shared-lists'
import { createShrinkGuard } from './shrink-guard'

const START = Date.UTC(2026, 10, 20, 7)
const INTERVAL = 10_000

/** A clock, a planner and a service that the story moves by hand; `log` is what happened, in order. */
function world(interval = INTERVAL) {
  const log: string[] = []
  let now = START
  let planned: { at: number; run: () => void } | null = null
  const answers: (FetchOutcome<string> | Error)[] = []
  let holdAnswer: Promise<void> = Promise.resolve()
  const refresher = createListRefresher<string>({
    shared: aloneWithLists,
    source: sourceOf(async () => {
      const askedAt = now
      log.push(`asked at ${(now - START) / 1000} s`)
      await holdAnswer
      const answer = answers.shift() ?? good('same', false)
      if (answer instanceof Error) throw answer
      return { ...answer, askedAt }
    }),
    intervalMs: () => interval,
    now: () => now,
    schedule: (delayMs, run) => {
      const mine = { at: now + delayMs, run }
      planned = mine
      return () => {
        if (planned === mine) planned = null
      }
    },
    random: () => 0,
    onChange: (state) => {
      log.push(`${state.content ?? 'nothing'}${state.problem ? `, ${state.problem.kind}` : ''}`)
      if (state.content === 'breaks') throw new Error('a listener')
    },
    onError: (error) => log.push(String(error)),
  })
  return {
    log,
    refresher,
    answers,
    interval: (ms: number) => (interval = ms),
    hold: (until: Promise<void>) => (holdAnswer = until),
    wait: (ms: number) => (now += ms),
    /** Lets time pass until the next planned fetch and runs it. */
    next: async () => {
      if (planned === null) throw new Error('nothing is planned')
      now = Math.max(now, planned.at)
      planned.run()
      await refresher.refresh()
    },
    planned: () => (planned === null ? null : planned.at - now),
  }
}

function sourceOf(fetch: () => Promise<FetchOutcome<string>>): ListSource<string> {
  const guard = createShrinkGuard(() => 0)
  return { list: 'high-schools', fetch, read: () => Promise.reject(new Error('nothing is shared')), guard }
}

function good(content: string, changed = true): FetchOutcome<string> {
  const sent = { bytes: content.length, body: null, validators: {} }
  return { kind: 'fetched', content, changed, unreadable: 0, askedAt: START, ...sent }
}
const refused: FetchOutcome<string> = { kind: 'unauthorized', detail: 'status 403', retryAfterMs: null }
const down: FetchOutcome<string> = { kind: 'unavailable', detail: 'time-out', retryAfterMs: null }

let its: ReturnType<typeof world>
beforeEach(() => {
  its = world()
})

test('fetches, plans the next fetch and says how fresh the content is', async () => {
  its.answers.push(good('monday'))
  await its.refresher.refresh()
  expect(its.log).toEqual(['asked at 0 s', 'monday'])
  expect(its.planned()).toBe(INTERVAL)
  expect(snapshotInfo(its.refresher.state())).toEqual({
    fetchedAt: '2026-11-20T07:00:00.000Z',
    nextAt: '2026-11-20T07:00:10.000Z',
    stale: false,
    problem: null,
    version: START,
    unreadable: 0,
  })
})

test('a hundred callers at once are one request', async () => {
  let answer = () => {}
  its.hold(new Promise((resolve) => (answer = resolve)))
  const callers = Array.from({ length: 100 }, () => its.refresher.refresh())
  answer()
  await Promise.all(callers)
  expect(its.log.filter((line) => line.startsWith('asked'))).toHaveLength(1)
})

test('the last good content stays through every failure, with the reason and since when', async () => {
  its.answers.push(good('monday'), down, down, good('tuesday'))
  await its.refresher.refresh()
  await its.next()
  await its.next()
  const info = snapshotInfo(its.refresher.state())
  expect(info).toMatchObject({ stale: true, fetchedAt: '2026-11-20T07:00:00.000Z' })
  expect(info?.problem).toEqual({ kind: 'unavailable', since: '2026-11-20T07:00:10.000Z' })
  await its.next()
  expect(snapshotInfo(its.refresher.state())).toMatchObject({ stale: false, problem: null })
  expect(its.log).toEqual([
    'asked at 0 s',
    'monday',
    'asked at 10 s',
    'monday, unavailable',
    'asked at 15 s',
    'monday, unavailable',
    'asked at 25 s',
    'tuesday',
  ])
})

test('without budget there is no problem to show; it is tried again when there is some', async () => {
  its.answers.push(good('monday'), { kind: 'later', retryAt: START + 60_000 }, good('tuesday'))
  await its.refresher.refresh()
  await its.next()
  expect(its.refresher.state().problem).toBeNull()
  expect(its.planned()).toBe(50_000)
  await its.next()
  expect(its.refresher.state().content).toBe('tuesday')
})

test('before the first answer a wait of more than five seconds is said, for there is nothing to show meanwhile', async () => {
  its.answers.push({ kind: 'later', retryAt: START + 3_000 }, { kind: 'later', retryAt: START + 603_000 })
  await its.refresher.refresh()
  expect(its.refresher.state()).toMatchObject({ problem: null, nextAt: START + 3_000 })
  await its.next()
  expect(its.refresher.state()).toMatchObject({ problem: { kind: 'rate-limited' }, nextAt: START + 603_000 })
  expect(its.log.at(-1)).toBe('nothing, rate-limited')
})

test('a clock that is set back moves no plan, and hides no list from who looks again', async () => {
  await its.refresher.refresh()
  its.wait(-600_000)
  its.refresher.reconsider()
  expect(its.planned()).toBe(INTERVAL)
})

test('who looks again waits for nothing, however long the next fetch is away', async () => {
  its = world(300_000)
  await its.refresher.refresh()
  its.interval(10_000)
  its.refresher.reconsider()
  expect(its.planned()).toBe(10_000)
})

test('goes on after an error that nobody foresaw, in fetching or in telling of it', async () => {
  its.answers.push(good('monday'), new Error('unforeseen'), good('breaks'), good('tuesday'))
  await its.refresher.refresh()
  await its.next()
  expect(snapshotInfo(its.refresher.state())).toMatchObject({ stale: true, problem: { kind: 'unavailable' } })
  await its.next()
  await its.next()
  expect(its.refresher.state().content).toBe('tuesday')
  expect(its.log.filter((line) => line.startsWith('Error'))).toEqual(['Error: unforeseen', 'Error: a listener'])
})

test('a refused token is asked for again soon, and seldom once that has come to nothing', async () => {
  its.answers.push(good('monday'), down, down, ...Array.from({ length: 5 }, () => refused))
  await its.refresher.refresh()
  await its.next()
  await its.next()
  const waits: (number | null)[] = []
  for (let time = 0; time < 5; time++) {
    await its.next()
    waits.push(its.planned())
  }
  expect(waits).toEqual([30_000, 60_000, 120_000, 300_000, 300_000])
})

test('the version grows with content only', async () => {
  its.answers.push(good('monday'), good('monday', false), good('tuesday'))
  await its.refresher.refresh()
  const first = its.refresher.state().version
  await its.next()
  expect(its.refresher.state().version).toBe(first)
  await its.next()
  expect(its.refresher.state().version).toBeGreaterThan(first)
})

test('after a stop nothing is fetched and nothing is planned', async () => {
  await its.refresher.refresh()
  its.refresher.stop()
  await its.refresher.refresh()
  expect(its.planned()).toBeNull()
  expect(its.log.filter((line) => line.startsWith('asked'))).toHaveLength(1)
})

test('retries slow down to a minute; a refused token is asked for seldom; Retry-After is honoured', () => {
  const waitAfter = (kind: 'unavailable' | 'rate-limited', retryAfterMs: number | null, failures: number) => {
    const state = { ...emptyListState<string>(), failures }
    return nextAfter({ kind, detail: '', retryAfterMs }, state, null, { now: 0, intervalMs: () => 0, random: 0 })
  }
  const waits = [1, 2, 3, 4, 5, 9].map((failures) => waitAfter('unavailable', null, failures))
  expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
  expect(waitAfter('rate-limited', 90_000, 1)).toBe(90_000)
  expect(waitAfter('unavailable', 90_000, 1)).toBe(90_000)
})

describe('an answer that takes its time', () => {
  const at = (seconds: number) => new Date(START + seconds * 1_000).toISOString()

  /** A service that answers after as many seconds as the story says; `told` is what streams hear of meanwhile. */
  function slowWorld() {
    const time = createVirtualTime(START)
    const told: string[] = []
    const service = { answers: (): FetchOutcome<string> => good('same', false), seconds: 0, lateMs: 0 }
    const asked: number[] = []
    const refresher = createListRefresher<string>({
      shared: aloneWithLists,
      source: sourceOf(() => {
        asked.push((time.now() - START) / 1_000)
        const askedAt = time.now()
        return new Promise((resolve) => {
          const answer = () => {
            const outcome = service.answers()
            resolve(outcome.kind === 'fetched' ? { ...outcome, askedAt } : outcome)
          }
          time.after(service.seconds * 1_000, answer)
        })
      }),
      intervalMs: () => INTERVAL,
      now: time.now,
      schedule: (delayMs, run) => time.after(delayMs + service.lateMs, run),
      random: () => 0,
      onChange: ({ problem }, isNew) =>
        told.push(`${(time.now() - START) / 1_000} s: ${problem?.kind ?? 'well'}${isNew ? ', new' : ''}`),
      onError: (error) => told.push(String(error)),
    })
    async function runUntil(seconds: number): Promise<void> {
      time.at(START + seconds * 1_000, () => {})
      do for (let turn = 0; turn < 30; turn++) await Promise.resolve()
      while (time.now() < START + seconds * 1_000 && time.step())
    }
    return { refresher, service, asked, told, runUntil, info: () => snapshotInfo(refresher.state()) }
  }

  test('is as old as the asking for it, however long the service drips', async () => {
    const { refresher, service, info, runUntil } = slowWorld()
    service.seconds = 8
    void refresher.refresh()
    await runUntil(8.5)
    expect(info()).toMatchObject({ fetchedAt: at(0), nextAt: at(10) })
    await runUntil(18.5)
    expect(info()).toMatchObject({ fetchedAt: at(10), nextAt: at(20) })
  })

  test('is called slow while it lasts, since it was due, and streams hear of it', async () => {
    const { refresher, service, told, info, runUntil } = slowWorld()
    void refresher.refresh()
    await runUntil(1)
    service.seconds = 180
    await runUntil(19.9)
    expect(info()).toMatchObject({ stale: false, problem: null, nextAt: at(10) })
    for (const moment of [20.1, 100, 189]) {
      await runUntil(moment)
      expect(info()).toMatchObject({
        stale: true,
        problem: { kind: 'unavailable', since: at(10) },
        fetchedAt: at(0),
        nextAt: null,
      })
    }
    await runUntil(190.1)
    expect(info()).toMatchObject({ stale: false, problem: null, fetchedAt: at(10), nextAt: at(190) })
    expect(told.slice(0, 3)).toEqual(['0 s: well', '20 s: unavailable', '190 s: well'])
  })

  test('that then fails has been a problem since it was due', async () => {
    const { refresher, service, info, runUntil } = slowWorld()
    void refresher.refresh()
    await runUntil(1)
    service.seconds = 30
    service.answers = () => down
    await runUntil(41)
    expect(info()).toMatchObject({ problem: { kind: 'unavailable', since: at(10) }, nextAt: at(45) })
  })

  test('is no problem any more when it turns out that nothing was sent', async () => {
    const { refresher, service, told, info, runUntil } = slowWorld()
    void refresher.refresh()
    await runUntil(1)
    service.seconds = 15
    service.answers = () => ({ kind: 'later', retryAt: START + 26_000 })
    await runUntil(25.01)
    expect(info()).toMatchObject({ stale: false, problem: null })
    expect(told).toEqual(['0 s: well', '20 s: unavailable', '25 s: well'])
  })

  test('says nothing any more after a stop', async () => {
    const { refresher, service, told, runUntil } = slowWorld()
    service.seconds = 60
    void refresher.refresh()
    await runUntil(1)
    refresher.stop()
    await runUntil(50)
    expect(told).toEqual([])
  })

  test('does not make the next one later, nor do timers that fire late', async () => {
    const { refresher, service, asked, runUntil } = slowWorld()
    service.seconds = 2
    service.lateMs = 40
    void refresher.refresh()
    await runUntil(999)
    expect(asked).toHaveLength(100)
    expect(asked[99]).toBeCloseTo(990.04, 6)
  })
})
