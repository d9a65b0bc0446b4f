import { expect, test } from 'vitest'
import { createLive } from './live'
import type { Stream } from './shared-stream'

const SECOND = 1_000

/** A tab with a clock, a log of what happened, and streams that the test speaks through. It has connected. */
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
    onLead: ({ what, id }) => log.push(`${now / SECOND} ${what} of ${id}`),
    onTriage: ({ list }) => log.push(`${now / SECOND} ${list} decided`),
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
  const say = (type: string, data?: unknown) => lastOf(streams).say(type, data)
  live.start()
  return { live, pass, take, say, stream: () => lastOf(streams), streams, waiting: () => timers.size }
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

/** A number passes so many seconds, a text is a word of the stream or what the tab does. */
type Step = number | string | [word: string, data: unknown]
const DONE_BY_TAB = new Set(['hide', 'wake', 'pause', 'stop'])

function play(tab: ReturnType<typeof openTab>, steps: readonly Step[]): void {
  for (const step of steps) {
    if (typeof step === 'number') tab.pass(step * SECOND)
    else if (typeof step !== 'string') tab.say(...step)
    else if (DONE_BY_TAB.has(step)) tab.live[step as 'hide']()
    else tab.say(step)
  }
}

const beats = (times: number, everySeconds: number) =>
  Array.from({ length: times }, () => [everySeconds, 'beat']).flat()
const status = (now: string): Step => ['status', { now, lists: {} }]

test.each<[label: string, steps: Step[], log: string, chance?: number]>([
  [
    'is live with the first word, and tells of a change when the server says, only of the newest',
    [['changed', questions(7)], ['changed', questions(8)], 1],
    '0 live, 0.2 asked-questions 8',
  ],
  [
    'asks for nothing outside the scope, and takes over the status',
    [['changed', { ...questions(8), yours: false }], status('then'), ['lead', { what: 'notes', id: 'q1' }], 59],
    '0 live, 0 status then, 0 notes of q1, 45 polling, 45 check, 46 connect',
  ],
  [
    'asks for nothing after an event without our fields',
    [['changed', { list: 'users', version: 1 }], ['changed', 'nonsense'], 1],
    '0 live',
  ],
  [
    'asks for the numbers beside filters long after, once for all that came meanwhile',
    [['changed', questions(8)], 1, ['changed', questions(9)], 30],
    '0 live, 0.2 asked-questions 8, 1.2 asked-questions 9, 22.5 numbers',
    0.5,
  ],
  [
    'stays live by beats; silence for 45 seconds is a broken stream, even if it never said a word',
    [...beats(5, 20), 46, 45],
    '20 live, 145 polling, 145 check, 146 connect, 191 check',
  ],
  [
    'asks for what it missed after a loss, and not when it only slept',
    ['beat', 'error', 2, 'beat', 10, 'beat', 10],
    '0 live, 0 polling, 1 check, 1.5 connect, 2 live, 3 back',
    0.5,
  ],
  [
    'keeps its stream for ten minutes while it is hidden, then looks every five; seen again, it connects at once',
    ['hide', ...beats(40, 15), 11 * 60, 'wake'],
    '15 live, 600 polling, 900 check, 1200 check, 1260 connect',
  ],
  [
    'sleeps ten minutes after it was hidden also when its stream broke meanwhile',
    ['beat', 'hide', 'error', ...beats(40, 15), 11 * 60],
    '0 live, 0 polling, 1 check, 1.5 connect, 15 live, 16 back, 600 polling, 900 check, 1200 check',
    0.5,
  ],
  [
    'goes on with its stream after it was hidden for a moment, and does not wait for a try once it is seen',
    ['hide', 'wake', 'beat', 'error', 'wake', 44],
    '0 live, 0 polling, 0 connect, 0 check',
  ],
  [
    'is silent for good once it is stopped',
    [['changed', questions(7)], 'stop', ['changed', questions(8)], 'wake', 3600],
    '0 live, 0 polling',
    0.5,
  ],
  [
    'comes back when an ending instance says so, and asks for what it missed only then',
    [status('1'), ['handover', { backInMs: 1_500 }], 2, status('2'), 0, 'handover', 2],
    '0 live, 0 status 1, 0 polling, 1.5 connect, 2 live, 2 status 2, 2 back, 2 polling, 4 connect',
  ],
  [
    'rests on the server’s word, looks now and then, and is live again when it is seen',
    [status('1'), 'rest', 11 * 60, 'wake', status('2'), 0],
    '0 live, 0 status 1, 0 polling, 0 check, 300 check, 600 check, 660 connect, 660 live, 660 status 2, 660 back',
  ],
  [
    'asks for nothing while it is paused, and catches up once it wakes',
    ['beat', 'pause', 600, 'wake', 'beat', 1],
    '0 live, 0 polling, 600 connect, 600 live, 600 back',
  ],
])('a tab %s', (_, steps, log, chance) => {
  const tab = openTab(chance)
  play(tab, steps)
  expect(tab.take().join(', ')).toBe(`0 connect, ${log}`)
  const open = tab.streams.filter((stream) => !stream.isClosed())
  expect(open.length, 'one stream at most').toBeLessThanOrEqual(1)
  tab.live.stop()
  expect([tab.waiting(), tab.stream().isClosed()]).toEqual([0, true])
})

test('a stream that breaks is tried again, each time later, until one lasts', () => {
  const tab = openTab()
  const waits = Array.from({ length: 7 }, () => secondsUntilNextTry(tab))
  expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30])
  tab.say('changed', questions(7))
  expect(secondsUntilNextTry(tab), 'after a stream that greeted and broke').toBe(30)
  tab.say('beat')
  expect(secondsUntilNextTry(tab), 'after a stream that lasted').toBe(1)
})

function secondsUntilNextTry(tab: ReturnType<typeof openTab>): number {
  const before = tab.streams.length
  tab.say('error')
  let seconds = 0
  for (; tab.streams.length === before && seconds < 100; seconds += 1) tab.pass(SECOND)
  return seconds
}

test.each(['pause', 'rest', 'handover', 'stop'])('there is no stream after %s', (end) => {
  const tab = openTab()
  play(tab, ['beat', end])
  expect(tab.stream().isClosed()).toBe(true)
})
