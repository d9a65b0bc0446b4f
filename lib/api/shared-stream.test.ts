import { expect, test } from 'vitest'
import { createLive } from './live'
import { openSharedStream, type Stream } from './shared-stream'

type Listener = (event: { data: unknown }) => void

/** A user's browser: a clock, the channel between its tabs, and the streams that are open on the server. */
function openBrowser() {
  const timers = new Set<{ at: number; run: () => void }>()
  const channels = new Map<Listener, Tab>()
  const streams: { tab: Tab; say: (type: string, data?: unknown) => void }[] = []
  let now = 0
  let drawn = 0
  const schedule = (delayMs: number, run: () => void) => {
    const timer = { at: now + delayMs, run }
    timers.add(timer)
    return () => void timers.delete(timer)
  }
  // As even as can be, and never the same twice.
  const random = () => (drawn++ * 0.618) % 1
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
  function openTab() {
    const log: string[] = []
    const tab = { log, isFrozen: false, live: { start: () => {}, stop: () => {}, pause: () => {}, wake: () => {} } }
    const connect = (): Stream => {
      const listeners = new Map<string, (event: { data?: unknown }) => void>()
      const say = (type: string, data: unknown = {}) => listeners.get(type)?.({ data: JSON.stringify(data) })
      const stream = { tab, say }
      streams.push(stream)
      const close = () => void (streams.includes(stream) && streams.splice(streams.indexOf(stream), 1))
      return { addEventListener: (type, listener) => void listeners.set(type, listener), close }
    }
    const openChannel = () => {
      let own: Listener = () => {}
      return {
        addEventListener: (_: 'message', listener: Listener) => {
          own = listener
          channels.set(listener, tab)
        },
        postMessage: (data: unknown) => {
          const others = [...channels].filter(([listener, { isFrozen }]) => listener !== own && !isFrozen)
          for (const [listener] of others)
            schedule(1, () => channels.has(listener) && listener({ data: structuredClone(data) }))
        },
        close: () => void channels.delete(own),
      }
    }
    tab.live = createLive({
      connect: () => openSharedStream({ connect, channel: openChannel(), schedule, random }),
      schedule,
      random,
      onChanged: ({ list, version }) => log.push(`${list} ${version}`),
      onStatus: ({ now: at }) => log.push(`status ${at}`),
      onLead: ({ what, id }) => log.push(`${what} of ${id}`),
      onTriage: ({ list }) => log.push(`${list} decided`),
      onNumbers: () => {},
      onLive: (isLive) => log.push(isLive ? 'live' : 'polling'),
      onCheck: () => log.push('check'),
      onBack: () => log.push('back'),
    })
    tab.live.start()
    return tab
  }
  type Tab = ReturnType<typeof openTab>
  const begin = () => only(streams).say('status', { now: 'then', lists: {} })
  return { openTab, pass, streams, begin, openTabs: (count: number) => Array.from({ length: count }, openTab) }
}

function only<Item>(items: readonly Item[]): Item {
  expect(items).toHaveLength(1)
  return items[0] as Item
}

const QUESTIONS = 'asked-questions'
const lead = { what: 'notes', kind: 'asked-question', id: 'q1' }

test('ten tabs that open in one moment have one stream, and each hears all of it', () => {
  const { openTabs, pass, streams, begin } = openBrowser()
  const tabs = openTabs(10)
  pass(300)
  begin()
  only(streams).say('lead', lead)
  pass(10)
  for (const { log } of tabs) expect(log).toEqual(['live', 'status then', 'notes of q1'])
})

test('a tab that opens later is told what the server tells at the beginning, whoever the last change concerned', () => {
  const { openTab, pass, streams, begin } = openBrowser()
  openTab()
  pass(300)
  begin()
  const change = { list: QUESTIONS, askInMs: 0 }
  only(streams).say('changed', { ...change, version: 7, yours: true })
  only(streams).say('changed', { ...change, version: 8, yours: false })
  only(streams).say('lead', lead)
  const later = openTab()
  pass(10)
  expect(later.log).toEqual(['live', 'status then', 'asked-questions 8'])
  expect(streams).toHaveLength(1)
})

test.each(['stop', 'pause'] as const)(
  'at %s of the leader another tab has a stream within a second, and asks for what it missed',
  (end) => {
    const { openTabs, pass, streams, begin } = openBrowser()
    const tabs = openTabs(10)
    pass(300)
    begin()
    pass(10)
    const leader = only(streams).tab
    leader.live[end]()
    pass(500)
    expect(only(streams).tab).not.toBe(leader)
    begin()
    pass(2_000)
    const others = tabs.filter((tab) => tab !== leader)
    for (const { log } of others) expect(log).toEqual(['live', 'status then', 'polling', 'live', 'status then', 'back'])
  },
)

test('a leader that falls silent without a word is replaced, and follows once it wakes', () => {
  const { openTabs, pass, streams, begin } = openBrowser()
  const tabs = openTabs(3)
  pass(300)
  begin()
  pass(10)
  const leader = only(streams).tab
  leader.isFrozen = true
  pass(49_000)
  expect(streams.length, 'the silent one, and one that leads').toBeGreaterThan(1)
  leader.isFrozen = false
  for (const { say } of streams.slice()) say('beat')
  pass(5_000)
  only(streams).say('lead', lead)
  pass(10)
  for (const { log } of tabs) expect(log.at(-1)).toBe('notes of q1')
})

test.each(['error', 'rest'])('the server’s %s is for all tabs', (word) => {
  const { openTabs, pass, streams, begin } = openBrowser()
  const tabs = openTabs(3)
  pass(300)
  begin()
  pass(10)
  only(streams).say(word)
  pass(1_000)
  expect(streams).toHaveLength(0)
  for (const { log } of tabs) expect(log.slice(0, 3)).toEqual(['live', 'status then', 'polling'])
  pass(4_000)
  expect(streams).toHaveLength(word === 'error' ? 1 : 0)
})
