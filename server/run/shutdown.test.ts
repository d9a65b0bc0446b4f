import { expect, test } from 'vitest'
import { createLifecycle } from '@/server/http/lifecycle'
import { testServices } from '@/server/testing/services'
import { shutDown } from './shutdown'

const TIMES = { endMs: 60, quietMs: 5, closeMs: 30, hardMs: 200 }

function running({
  closeDatabase = async () => {},
  left = 0,
}: { closeDatabase?: () => Promise<void>; left?: number } = {}) {
  const order: string[] = []
  const note = (text: string) => () => void order.push(text)
  const noteLater = (text: string) => async () => void order.push(text)
  const lifecycle = createLifecycle()
  lifecycle.markUp()
  const services = testServices({
    lifecycle,
    hub: { close: note('streams handed over') },
    feed: { stop: note('feed') },
    repeatEvery: { stop: note('rounds') },
    demo: null,
    leadOpenings: { flush: noteLater('openings written') },
    sharedLists: { close: noteLater('lease') },
    database: { close: () => closeDatabase().then(note('database')) },
    events: { close: note('messages') },
    logger: { info: () => {}, warn: (_: object, message: string) => order.push(message) },
  })
  const requests = {
    countOpenRequests: () => left,
    disableKeepAlive: () => void order.push(`leaving while ${lifecycle.getPhase()}`),
    stopListening: noteLater('door closed'),
    waitUntilQuiet: async () => {
      order.push('quiet')
      return left
    },
    closeIdle: noteLater('connections'),
  }
  return { order, end: (drainMs: number) => shutDown(services, requests, drainMs, TIMES) }
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
  const { order, end } = running({ closeDatabase: () => new Promise(() => {}) })
  await end(0)
  expect(order.at(-1)).toBe('the log may lack its last lines')
})
