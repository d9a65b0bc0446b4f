import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLiveUpdates } from './live'
import { createStream, logLive } from './testing/live'

const SECOND = 1_000

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A tab that has connected, with a log of what happened at which second. */
function openTab(chance = 0) {
  vi.spyOn(Math, 'random').mockReturnValue(chance)
  const log: string[] = []
  const write = (line: string) => void log.push(`${Math.round(Date.now() / 100) / 10} ${line}`)
  let stream = createStream()
  const connect = () => {
    write('connect')
    stream = createStream(() => write('close'))
    return stream
  }
  const live = createLiveUpdates({ ...logLive(write), connect })
  live.start()
  return { live, log, say: (type: string, data?: unknown) => stream.say(type, data) }
}

const questions = (version: number, askInMs = 200) => ({ list: 'asked-questions', version, yours: true, askInMs })

/** A number passes so many seconds, a text is a word of the stream or what the tab does. */
type Step = number | string | [word: string, data: unknown]

function play({ live, say }: ReturnType<typeof openTab>, steps: readonly Step[]): void {
  for (const step of steps) {
    if (typeof step === 'number') vi.advanceTimersByTime(step * SECOND)
    else if (typeof step !== 'string') say(...step)
    else if (step in live) live[step as keyof typeof live]()
    else say(step)
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
    '0 live, 0 status then, 0 notes of q1, 45 close, 45 polling, 45 check, 46 connect',
  ],
  [
    'asks for the numbers beside filters long after, once for all that came meanwhile',
    [['changed', questions(8)], 1, ['changed', questions(9)], 30],
    '0 live, 0.2 asked-questions 8, 1.2 asked-questions 9, 22.5 numbers',
    0.5,
  ],
  [
    'stays live by beats; silence for 45 seconds is a broken stream, even if it never said a word',
    [...beats(5, 20), 46, 46],
    '20 live, 145 close, 145 polling, 145 check, 146 connect, 191 close, 191 check',
  ],
  [
    'asks once for what it missed after a loss',
    ['beat', 'error', 2, 'beat', 10, 'beat', 10],
    '0 live, 0 close, 0 polling, 1 check, 1.5 connect, 2 live, 3 back',
    0.5,
  ],
  [
    'keeps its stream for ten minutes while it is hidden, then looks every five; seen again, it catches up at once',
    ['hide', ...beats(40, 15), 11 * 60, 'wake', 'beat', 0],
    '15 live, 600 close, 600 polling, 900 check, 1200 check, 1260 connect, 1260 live, 1260 back',
  ],
  [
    'goes on with its stream after it was hidden for a moment, and does not wait for a try once it is seen',
    ['hide', 'wake', 'beat', 'error', 'wake', 44],
    '0 live, 0 close, 0 polling, 0 connect, 0 check',
  ],
  [
    'is silent for good once it is stopped',
    [['changed', questions(7)], 'stop', ['changed', questions(8)], 'wake', 'hide', 3600],
    '0 live, 0 close, 0 polling',
    0.5,
  ],
  [
    'comes back when an ending instance says so, and asks for what it missed only then',
    [status('1'), ['handover', { backInMs: 1_500 }], 2, status('2'), 0, ['handover', { backInMs: 2_000 }], 2],
    '0 live, 0 status 1, 0 close, 0 polling, 1.5 connect, 2 live, 2 status 2, 2 back, 2 close, 2 polling, 4 connect',
  ],
  [
    'asks for nothing while it is paused, and catches up once it wakes',
    ['beat', 'pause', 600, 'wake', 'beat', 1],
    '0 live, 0 close, 0 polling, 600 connect, 600 live, 600 back',
  ],
])('a tab %s', (_, steps, log, chance) => {
  const tab = openTab(chance)
  play(tab, steps)
  expect(tab.log.join(', ')).toBe(`0 connect, ${log}`)
  tab.live.stop()
  expect(vi.getTimerCount()).toBe(0)
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

function secondsUntilNextTry({ log, say }: ReturnType<typeof openTab>): number {
  const brokeAt = Date.now()
  log.length = 0
  say('error')
  while (!log.some((line) => line.endsWith('connect')) && Date.now() < brokeAt + 100 * SECOND)
    vi.advanceTimersByTime(SECOND)
  return (Date.now() - brokeAt) / SECOND
}
