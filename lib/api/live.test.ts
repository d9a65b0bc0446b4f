import { expect, test } from 'vitest'
import { createLive, type Stream } from './live'

const SECOND = 1_000
const MINUTE = 60_000

/** A tab with a clock that moves when told, a log of what happened, and streams that the test speaks through. */
function openTab(chance = 0) {
  const log: string[] = []
  const timers = new Set<{ at: number; run: () => void }>()
  const streams: FakeStream[] = []
  let now = 0
  const live = createLive({
    connect: () => {
      log.push(`${now / SECOND} connect`)
      streams.push(fakeStream())
      return lastOf(streams)
    },
    schedule: (delayMs, run) => {
      const timer = { at: now + delayMs, run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    random: () => chance,
    onChanged: ({ list, version }) => log.push(`${now / SECOND} ${list} ${version}`),
    onStatus: (status) => log.push(`${now / SECOND} status ${status.now}`),
    onCounts: ({ list, total }) => log.push(`${now / SECOND} ${list} has ${total}`),
    onNumbers: () => log.push(`${now / SECOND} numbers`),
    onLive: (isLive) => log.push(`${now / SECOND} ${isLive ? 'live' : 'polling'}`),
    onCheck: () => log.push(`${now / SECOND} check`),
    onBack: () => log.push(`${now / SECOND} back`),
  })
  const pass = (ms: number) => {
    const until = now + ms
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)
      if (next === undefined) break
      timers.delete(next)
      now = next.at
      next.run()
    }
    now = until
  }
  const take = () => log.splice(0)
  return { live, pass, take, stream: () => lastOf(streams), streams, waiting: () => timers.size }
}

type FakeStream = Stream & { say: (type: string, data?: unknown) => void; isClosed: () => boolean }

function fakeStream(): FakeStream {
  const listeners = new Map<string, (event: { data?: unknown }) => void>()
  let closed = false
  return {
    addEventListener: (type, listener) => void listeners.set(type, listener),
    close: () => (closed = true),
    say: (type, data = {}) => listeners.get(type)?.({ data: JSON.stringify(data) }),
    isClosed: () => closed,
  }
}

function lastOf(streams: readonly FakeStream[]): FakeStream {
  const last = streams.at(-1)
  if (last === undefined) throw new Error('never connected')
  return last
}

const questions = (version: number, askInMs = 200) => ({ list: 'asked-questions', version, yours: true, askInMs })

test('is live with the first word, and tells of a change when the server says, only of the newest', () => {
  const tab = openTab()
  tab.live.start()
  tab.stream().say('changed', questions(7))
  tab.stream().say('changed', questions(8))
  expect(tab.take()).toEqual(['0 connect', '0 live'])
  tab.pass(SECOND)
  expect(tab.take()).toEqual(['0.2 asked-questions 8'])
})

test('what does not concern the person is not asked for; how fresh the lists are and what they count is taken as told', () => {
  const tab = openTab()
  tab.live.start()
  tab.stream().say('changed', { ...questions(8), yours: false })
  tab.stream().say('status', { now: 'then', lists: {} })
  tab.stream().say('counts', { list: 'asked-questions', total: 3, unhandled: { norra: 1 }, isWhole: true })
  tab.stream().say('counts', { list: 'users', total: 3, unhandled: {} })
  expect(tab.take()).toEqual(['0 connect', '0 live', '0 status then', '0 asked-questions has 3'])
  tab.pass(MINUTE - SECOND)
  expect(tab.take()).toEqual(['45 polling', '45 check', '46 connect'])
})

test('the numbers beside filters and views are asked for long after, once for all that came meanwhile', () => {
  const tab = openTab(0.5)
  tab.live.start()
  tab.stream().say('changed', questions(8))
  tab.pass(SECOND)
  tab.stream().say('changed', questions(9))
  tab.take()
  tab.pass(30 * SECOND)
  expect(tab.take()).toEqual(['1.2 asked-questions 9', '22.5 numbers'])
})

test('beats keep it live; silence for 45 seconds is a broken stream, even if it never said a word', () => {
  const tab = openTab()
  tab.live.start()
  for (let beats = 0; beats < 5; beats += 1) {
    tab.pass(20 * SECOND)
    tab.stream().say('beat')
  }
  expect(tab.take()).toEqual(['0 connect', '20 live'])
  const [first] = tab.streams
  tab.pass(46 * SECOND)
  expect(tab.take()).toEqual(['145 polling', '145 check', '146 connect'])
  expect(first?.isClosed()).toBe(true)
  tab.pass(45 * SECOND)
  expect(tab.take()).toEqual(['191 check'])
})

test('a stream that breaks is tried again, each time later, until one lasts', () => {
  const tab = openTab()
  tab.live.start()
  const waits = Array.from({ length: 7 }, () => secondsUntilNextTry(tab))
  expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30])
  tab.stream().say('changed', questions(7))
  expect(secondsUntilNextTry(tab), 'after a stream that greeted and broke').toBe(30)
  tab.stream().say('beat')
  expect(secondsUntilNextTry(tab), 'after a stream that lasted').toBe(1)
})

function secondsUntilNextTry(tab: ReturnType<typeof openTab>): number {
  const before = tab.streams.length
  tab.stream().say('error')
  let seconds = 0
  for (; tab.streams.length === before && seconds < 100; seconds += 1) tab.pass(SECOND)
  return seconds
}

test('once it is back after a loss, what nobody told meanwhile is asked for; not when it only slept', () => {
  const tab = openTab(0.5)
  tab.live.start()
  tab.stream().say('beat')
  tab.stream().say('error')
  tab.take()
  tab.pass(2 * SECOND)
  tab.stream().say('beat')
  tab.pass(10 * SECOND)
  tab.stream().say('beat')
  tab.pass(10 * SECOND)
  expect(tab.take()).toEqual(['1 check', '1.5 connect', '2 live', '3 back'])
})

test('a hidden tab keeps its stream for ten minutes, then looks every five; seen again, it connects at once', () => {
  const tab = openTab()
  tab.live.start()
  tab.live.hide()
  for (let beats = 0; beats < 40; beats += 1) {
    tab.pass(15 * SECOND)
    tab.stream().say('beat')
  }
  expect(tab.take()).toEqual(['0 connect', '15 live', '600 polling'])
  tab.pass(11 * MINUTE)
  expect(tab.take()).toEqual(['900 check', '1200 check'])
  tab.live.wake()
  expect(tab.take()).toEqual(['1260 connect'])
  expect(tab.streams.filter((stream) => !stream.isClosed())).toHaveLength(1)
})

test('a tab that was hidden for a moment goes on with the stream it has', () => {
  const tab = openTab()
  tab.live.start()
  tab.live.hide()
  tab.live.wake()
  tab.stream().say('beat')
  expect(tab.take()).toEqual(['0 connect', '0 live'])
})

test('waking does not wait for the next try', () => {
  const tab = openTab()
  tab.live.start()
  tab.stream().say('error')
  tab.take()
  tab.live.wake()
  expect(tab.take()).toEqual(['0 connect'])
  tab.pass(44 * SECOND)
  expect(tab.streams).toHaveLength(2)
})

test('once stopped it is silent for good', () => {
  const tab = openTab(0.5)
  tab.live.start()
  tab.stream().say('changed', questions(7))
  tab.live.stop()
  tab.take()
  tab.stream().say('changed', questions(8))
  tab.live.wake()
  tab.pass(60 * MINUTE)
  expect(tab.take()).toEqual([])
  expect(tab.stream().isClosed()).toBe(true)
  expect(tab.waiting()).toBe(0)
})

test('what another build says is not taken for a change', () => {
  const tab = openTab()
  tab.live.start()
  tab.stream().say('changed', { list: 'users', version: 1 })
  tab.stream().say('changed', 'nonsense')
  tab.pass(SECOND)
  expect(tab.take()).toEqual(['0 connect', '0 live'])
})

test('a tab whose instance ends comes back when it is told to, and asks for what it missed only then', () => {
  const tab = openTab()
  tab.live.start()
  tab.stream().say('status', { now: '1', lists: {} })
  tab.take()
  tab.stream().say('handover', { backInMs: 1_500 })
  const [before] = tab.streams
  expect([before?.isClosed(), tab.take()]).toEqual([true, ['0 polling']])
  tab.pass(2 * SECOND)
  expect(tab.take()).toEqual(['1.5 connect'])
  tab.stream().say('status', { now: '2', lists: {} })
  tab.pass(0)
  expect(tab.take()).toEqual(['2 live', '2 status 2', '2 back'])
  tab.stream().say('handover')
  tab.pass(2 * SECOND)
  expect(tab.take()).toEqual(['2 polling', '4 connect'])
})

test('a tab that is told to rest does not come back by itself, looks now and then, and is live again when it is seen', () => {
  const tab = openTab()
  tab.live.start()
  tab.stream().say('status', { now: '1', lists: {} })
  tab.take()
  tab.stream().say('rest')
  expect([tab.stream().isClosed(), tab.take()]).toEqual([true, ['0 polling']])
  tab.pass(11 * MINUTE)
  expect(tab.take()).toEqual(['0 check', '300 check', '600 check'])
  tab.live.wake()
  tab.stream().say('status', { now: '2', lists: {} })
  tab.pass(0)
  expect(tab.take()).toEqual(['660 connect', '660 live', '660 status 2', '660 back'])
  tab.live.stop()
  expect(tab.waiting()).toBe(0)
})

test('asks for nothing while it is paused, and catches up once it wakes', () => {
  const tab = openTab()
  tab.live.start()
  tab.stream().say('beat')
  tab.live.pause()
  expect(tab.stream().isClosed()).toBe(true)
  tab.pass(10 * MINUTE)
  expect(tab.take()).toEqual(['0 connect', '0 live', '0 polling'])
  tab.live.wake()
  tab.stream().say('beat')
  tab.pass(SECOND)
  expect(tab.take()).toEqual(['600 connect', '600 live', '600 back'])
})
