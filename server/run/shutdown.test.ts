import { expect, test } from 'vitest'
import { createLifecycle } from '@/server/http/lifecycle'
import { testServices } from '@/server/testing/services'
import { shutDown } from './shutdown'

const LIMITS = { openRequestsMs: 60, quietMs: 5, flushMs: 30, totalMs: 200 }

function running({ closeDatabase = async () => {}, flush = async () => {}, left = 0 } = {}) {
  const order: string[] = []
  const note = (text: string) => void order.push(text)
  const nothing = () => {}
  const lifecycle = createLifecycle()
  lifecycle.markUp()
  const services = testServices({
    lifecycle,
    hub: { close: () => note('streams handed over') },
    feed: { stop: () => note('feed') },
    jobs: { stop: () => note('jobs') },
    demo: null,
    leadOpenings: { flush: () => flush().then(() => note('openings written')) },
    sharedLists: { close: async () => note('lease') },
    database: { close: () => closeDatabase().then(() => note('database')) },
    events: { close: () => note('messages') },
    logger: { info: nothing, warn: (_: object, message: string) => note(message) },
  })
  const requests = {
    countOpenRequests: () => left,
    disableKeepAlive: () => note(`leaving while ${lifecycle.getPhase()}`),
    stopListening: () => note('door closed'),
    waitUntilQuiet: async () => (note('quiet'), left),
    closeIdle: async () => note('connections'),
  }
  return { order, end: (drainMs: number) => shutDown(services, requests, drainMs, LIMITS) }
}

test('is not ready at once, and ends in order: streams, door, open requests, the log, the database', async () => {
  const { order, end } = running()
  const done = end(40)
  expect(order).toEqual(['leaving while draining'])
  await done
  const atOnce = ['streams handed over', 'feed', 'lease', 'jobs', 'door closed']
  const afterRequests = ['quiet', 'connections', 'messages', 'openings written', 'database']
  expect(order.slice(1)).toEqual([...atOnce, ...afterRequests])
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
