import { expect, test } from 'vitest'
import { createLifecycle } from '@/server/http/health'
import { shutDown } from './shutdown'

const TIMES = { endMs: 60, quietMs: 5, closeMs: 30, hardMs: 200 }

function running({ database = async () => {}, left = 0 }: { database?: () => Promise<void>; left?: number } = {}) {
  const order: string[] = []
  const say = (what: string) => () => void order.push(what)
  const later = (what: string) => async () => void order.push(what)
  const lifecycle = createLifecycle()
  lifecycle.up()
  const parts = {
    lifecycle,
    hub: { close: say('streams handed over'), publish: () => {}, subscribe: () => () => {}, size: () => 0 },
    feed: { stop: say('feed') },
    every: { stop: say('rounds') },
    demo: null,
    openings: { flush: later('openings written') },
    sharedLists: { close: later('lease') },
    database: { close: () => database().then(say('database')) },
    events: { close: say('messages') },
    logger: { info: () => {}, warn: (_: object, what: string) => order.push(what), error: () => {} },
  }
  const requests = {
    underWay: () => left,
    leave: () => order.push(`leaving while ${lifecycle.phase()}`),
    stopListening: later('door closed'),
    quiet: async (_: number, maxMs: number) => {
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, maxMs))
      order.push('quiet')
      return left
    },
    closeIdle: later('connections'),
  }
  const end = (drainMs: number) =>
    shutDown(parts as unknown as Parameters<typeof shutDown>[0], requests, drainMs, TIMES)
  return { order, end }
}

test('is not ready at once, serves on, and ends in order: streams, door, what is under way, the log, the database', async () => {
  const { order, end } = running()
  const done = end(40)
  expect(order).toEqual(['leaving while draining'])
  await done
  expect(order.slice(1)).toEqual([
    'streams handed over',
    'feed',
    'lease',
    'rounds',
    'door closed',
    'quiet',
    'connections',
    'messages',
    'openings written',
    'database',
  ])
})

test('requests that do not end are cut off and logged', async () => {
  const { order, end } = running({ left: 2 })
  await end(0)
  expect(order).toContain('requests were cut off')
})

test('a database that does not close does not delay the end', async () => {
  const { order, end } = running({ database: () => new Promise(() => {}) })
  await end(0)
  expect(order.at(-1)).toBe('the log may lack its last lines')
})
