import { expect, test } from 'vitest'
import { createLifecycle } from '@/server/http/lifecycle'
import { testServices } from '@/server/testing/services'
import { shutDown } from './shutdown'

const LIMITS = { openRequestsMs: 60, quietMs: 5, flushMs: 30, totalMs: 200 }

function running({ closeDatabase = async () => {}, flush = async () => {}, left = 0 } = {}) {
  const order: string[] = []
  const note = (text: string) => () => void order.push(text)
  const noteLater = (text: string) => async () => void order.push(text)
  const lifecycle = createLifecycle()
  lifecycle.markUp()
  const services = testServices({
    lifecycle,
    hub: { close: note('streams handed over') },
    feed: { stop: note('feed') },
    jobs: { stop: note('rounds') },
    demo: null,
    leadOpenings: { flush: () => flush().then(note('openings written')) },
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
  return { order, end: (drainMs: number) => shutDown(services, requests, drainMs, LIMITS) }
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

const never = () => new Promise<void>(() => {})
const LACKS = 'the log may lack its last lines'
test.each([
  ['requests that do not end are cut off and logged', { left: 2 }, ['requests were cut off', 'database']],
  ['a database that does not close does not delay the end', { closeDatabase: never }, [LACKS]],
  ['a log that cannot be written leaves no database open', { flush: () => Promise.reject() }, ['database', LACKS]],
])('%s', async (_, state, words) => {
  const { order, end } = running(state)
  await end(0)
  expect(order.filter((each) => ['requests were cut off', 'database', LACKS].includes(each))).toEqual(words)
})
