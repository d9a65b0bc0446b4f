import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLiveUpdates } from './live'
import { openSharedStream } from './shared-stream'
import { createStream, logLive } from './testing/live'

type Listener = (event: { data: unknown }) => void

const pass = (ms: number) => vi.advanceTimersByTime(ms)
beforeEach(() => {
  vi.useFakeTimers()
  let drawn = 0
  // The numbers are as even as can be, and never the same twice.
  vi.spyOn(Math, 'random').mockImplementation(() => (drawn++ * 0.618) % 1)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A user's browser with so many tabs: the channel between them, and the streams that are open on the server. */
function openBrowser(tabCount: number) {
  const channels = new Map<object, { listener: Listener; owner: Tab }>()
  const streams: { tab: Tab; say: (type: string, data?: unknown) => void }[] = []
  function openTab() {
    const log: string[] = []
    const tab = { log, isFrozen: false, live: { start: () => {}, stop: () => {}, pause: () => {}, wake: () => {} } }
    const connect = () => {
      const stream = createStream(() => void streams.splice(streams.indexOf(opened), 1))
      const opened = { tab, say: stream.say }
      streams.push(opened)
      return stream
    }
    const openChannel = () => {
      const channel = {
        addEventListener: (_: 'message', listener: Listener) => void channels.set(channel, { listener, owner: tab }),
        postMessage: (data: unknown) => {
          for (const [other, { listener, owner }] of channels)
            if (other !== channel && !owner.isFrozen) setTimeout(() => channels.has(other) && listener({ data }), 1)
        },
        close: () => void channels.delete(channel),
      }
      return channel
    }
    tab.live = createLiveUpdates({
      ...logLive((line) => log.push(line)),
      connect: () => openSharedStream({ connect, channel: openChannel() }),
    })
    tab.live.start()
    return tab
  }
  type Tab = ReturnType<typeof openTab>
  const begin = () => only(streams).say('status', { now: 'then', lists: {} })
  const tabs = Array.from({ length: tabCount }, openTab)
  pass(300)
  begin()
  pass(10)
  return { openTab, streams, begin, tabs }
}

function only<Item>(items: readonly Item[]): Item {
  expect(items).toHaveLength(1)
  return items[0] as Item
}

const lead = { what: 'notes', kind: 'asked-question', id: 'q1' }

test('ten tabs that open in one moment have one stream, and each hears all of it', () => {
  const { tabs, streams } = openBrowser(10)
  only(streams).say('lead', lead)
  pass(10)
  for (const { log } of tabs) expect(log).toEqual(['live', 'status then', 'notes of q1'])
})

test('a tab that opens later is told what the server tells at the beginning, whoever the last change concerned', () => {
  const { openTab, streams } = openBrowser(1)
  const change = { list: 'asked-questions', askInMs: 0 }
  only(streams).say('changed', { ...change, version: 7, yours: true })
  only(streams).say('changed', { ...change, version: 8, yours: false })
  only(streams).say('lead', lead)
  const later = openTab()
  pass(10)
  expect(later.log).toEqual(['live', 'status then', 'asked-questions 8'])
  expect(streams).toHaveLength(1)
})

test.each(['stop', 'pause'] as const)('at %s of the leader another tab has a stream within a second', (end) => {
  const { tabs, streams, begin } = openBrowser(10)
  const leader = only(streams).tab
  leader.live[end]()
  pass(500)
  expect(only(streams).tab).not.toBe(leader)
  begin()
  pass(2_000)
  const others = tabs.filter((tab) => tab !== leader)
  for (const { log } of others) expect(log).toEqual(['live', 'status then', 'polling', 'live', 'status then', 'back'])
})

test('a leader that falls silent without a word is replaced, and follows once it wakes', () => {
  const { tabs, streams } = openBrowser(3)
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

test('a stream that breaks is polled for and opened again for all tabs', () => {
  const { tabs, streams } = openBrowser(3)
  only(streams).say('error')
  pass(1_000)
  expect(streams).toHaveLength(0)
  for (const { log } of tabs) expect(log.slice(0, 3)).toEqual(['live', 'status then', 'polling'])
  pass(4_000)
  expect(streams).toHaveLength(1)
})
