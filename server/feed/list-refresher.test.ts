import { beforeEach, expect, test } from 'vitest'
import { type FetchOutcome, createListRefresher, retryDelay, snapshotInfo } from './list-refresher'

const START = Date.UTC(2026, 10, 20, 7)
const INTERVAL = 10_000

/** A clock, a planner and a service that the story moves by hand; `log` is what happened, in order. */
function world() {
  const log: string[] = []
  let now = START
  let planned: { at: number; run: () => void } | null = null
  const answers: FetchOutcome<string>[] = []
  let holdAnswer: Promise<void> = Promise.resolve()
  const refresher = createListRefresher<string>({
    fetch: async () => {
      log.push(`asked at ${(now - START) / 1000} s`)
      await holdAnswer
      return answers.shift() ?? good('same', false)
    },
    intervalMs: () => INTERVAL,
    now: () => now,
    schedule: (delayMs, run) => {
      const mine = { at: now + delayMs, run }
      planned = mine
      return () => {
        if (planned === mine) planned = null
      }
    },
    random: () => 0,
    onChange: (state) => log.push(`${state.content ?? 'nothing'}${state.problem ? `, ${state.problem.kind}` : ''}`),
  })
  return {
    log,
    refresher,
    answers,
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

function good(content: string, changed = true): FetchOutcome<string> {
  return { kind: 'fetched', content, changed, unreadable: 0, bytes: content.length }
}
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
  const waits = [1, 2, 3, 4, 5, 9].map((failures) => retryDelay('unavailable', null, failures, 0))
  expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
  expect(retryDelay('unauthenticated', null, 1, 0)).toBe(300_000)
  expect(retryDelay('rate-limited', 90_000, 1, 0)).toBe(90_000)
  expect(retryDelay('unavailable', 90_000, 1, 0)).toBe(90_000)
})
