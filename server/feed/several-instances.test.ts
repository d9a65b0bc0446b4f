import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import type { FailedFetch } from './client'
import { type Instance, createSharedWorld, START, toVisibleState } from '@/server/feed/testing/shared-world'
import { LEASE_MS } from './shared-lists'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const LIST = 'declarations-of-interest'
const DOWN: FailedFetch = { ok: false, kind: 'unavailable', detail: 'status 503' }

let its: ReturnType<typeof createSharedWorld>
beforeEach(() => {
  its = createSharedWorld()
})

const begin = (...names: string[]) => names.map((name) => its.startInstance(name))
const states = (instances: Instance[]) => instances.map(({ feed }) => toVisibleState(feed.declarations()))
const sizes = (instances: Instance[]) => instances.map(({ feed }) => feed.declarations().content?.table.size)

function expectAgreement(instances: Instance[]): void {
  const [first, ...others] = states(instances)
  expect(first?.version).toBeGreaterThan(0)
  for (const other of others) expect(other).toEqual(first)
}

test('three instances send what one alone would send, and say the same', async () => {
  const alone = createSharedWorld()
  alone.startInstance('alone')
  await alone.run(30 * MINUTE)

  const three = begin('a', 'b', 'c')
  for (let minute = 0; minute < 30; minute++) {
    if (minute % 5 === 0) its.service.ids = [...its.service.ids, `new-${minute}`]
    await its.run(MINUTE)
    expectAgreement(three)
  }
  expect(sizes(three)).toEqual([7, 7, 7])
  const plans = three.map(({ feed }) => feed.declarations().nextAt ?? 0)
  expect(Math.max(...plans) - Math.min(...plans)).toBeLessThanOrEqual(2 * SECOND)
  expect(its.requests.length).toBeGreaterThan(200)
  expect(Math.abs(its.requests.length - alone.requests.length)).toBeLessThanOrEqual(3)
})

test('a restart of all takes up where they were: the same version at once, and the validator is sent back', async () => {
  const [before] = begin('before')
  await its.run(MINUTE)
  const { version } = before?.feed.declarations() ?? {}
  before?.kill()
  its.service.failure = DOWN
  const [after] = begin('after')
  await its.run(SECOND)
  expect(after?.feed.declarations()).toMatchObject({ version, fetchedAt: expect.any(Number) })
  await its.run(MINUTE)
  expect(its.requestsFor(LIST).at(-1)).toMatchObject({ instance: 'after', etag: '"a"' })
  expect(its.requestsFor('high-schools'), 'fetched by the one before, and not yet due').toHaveLength(1)
})

test('an instance that gets no messages takes over at the planned time and sends no more requests', async () => {
  const instances = [its.startInstance('a'), its.startInstance('deaf', { subscribes: false })]
  await its.run(10 * MINUTE)
  its.service.ids = ['a', 'b']
  await its.run(40 * SECOND)
  expect(sizes(instances)).toEqual([2, 2])
  const moments = its.requestsFor(LIST).map(({ sentAtMs }) => sentAtMs)
  const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThan(10 * SECOND)
})

test('when the instance that fetches dies, its lease expires and another fetches within ten seconds', async () => {
  const dying = its.startInstance('dying')
  await its.run(100)
  const other = its.startInstance('other')
  dying.kill()
  await its.run(LEASE_MS - SECOND)
  expect(its.requestsFor(LIST)).toMatchObject([{ instance: 'dying' }])
  expect(other.feed.declarations()).toMatchObject({ content: null, problem: null })
  await its.run(5 * SECOND)
  expect(its.requestsFor(LIST)).toMatchObject([{ instance: 'dying' }, { instance: 'other' }])
  expect(sizes([other])).toEqual([1])
})

test('one failure is everyone’s: all show it, keep what they have, and one asks again', async () => {
  const three = begin('a', 'b', 'c')
  await its.run(MINUTE)
  const before = its.requestsFor(LIST).length
  its.service.failure = DOWN
  await its.run(5 * MINUTE)
  expect(states(three).map(({ problem }) => problem)).toEqual(['unavailable', 'unavailable', 'unavailable'])
  expect(sizes(three)).toEqual([1, 1, 1])
  expect(its.requestsFor(LIST).length - before).toBeLessThanOrEqual(9)
  its.service.failure = null
  await its.run(2 * MINUTE)
  expectAgreement(three)
  expect(states(three)[0]?.problem).toBeNull()
})

test('while the share is away nothing is sent, and what is there stays; it recovers by itself', async () => {
  const two = begin('a', 'b')
  await its.run(MINUTE)
  const [before] = states(two)
  const sent = its.requests.length
  its.store.disconnect()
  await its.run(20 * MINUTE)
  expect(its.requests).toHaveLength(sent)
  expect(sizes(two)).toEqual([1, 1])
  for (const state of states(two)) expect(state).toMatchObject({ version: before?.version, problem: 'unavailable' })
  const fault = { faultySystem: 'database', detail: 'the database: ECONNREFUSED' }
  expect(two[0]?.feed.declarations().problem).toMatchObject(fault)
  its.store.reconnect()
  await its.run(5 * SECOND)
  expectAgreement(two)
  expect(states(two)[0]?.problem).toBeNull()
  const schoolProblems = two.map(({ feed }) => feed.highSchools().problem)
  expect(schoolProblems, 'also of a list that is not fetched yet').toEqual([null, null])
})

test('an answer that cannot be published does not count, so that all instances agree', async () => {
  const two = begin('a', 'b')
  await its.run(5 * SECOND)
  const [before] = states(two)
  its.service.ids = ['a', 'b']
  const sent = its.requestsFor(LIST).length
  while (its.requestsFor(LIST).length === sent) await its.run(100)
  its.store.disconnect()
  await its.run(SECOND)
  for (const state of states(two)) expect(state.version).toBe(before?.version)
})

test('a share that lost its content lets no version go back', async () => {
  const two = begin('a', 'b')
  await its.run(MINUTE)
  const [before] = states(two)
  its.store.loseContent()
  await its.run(MINUTE)
  expectAgreement(two)
  expect(states(two)[0]?.version).toBe(before?.version)
})

const anyShift = fc.integer({ min: -10 * MINUTE, max: 60 * MINUTE })
const anyKind = fc.constantFrom('unauthenticated', 'unauthorized', 'rate-limited', 'unavailable', 'unreadable')
const anyFailure = fc
  .tuple(anyKind, fc.option(fc.nat(60 * MINUTE), { nil: undefined }))
  .map(([kind, retryAfterMs]): FailedFetch => ({ ok: false, kind, detail: 'any', retryAfterMs }))
const anyEvent = fc.record({
  kind: fc.constantFrom('news', 'failure', 'no budget', 'away', 'back', 'lease ends', 'loss', 'nothing'),
  failure: anyFailure,
  ms: anyShift,
  passesMs: fc.oneof(fc.nat(SECOND), fc.nat(MINUTE)),
})

test('whatever the service and the store do, an instance fetches a list once at a time, and fetching goes on', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyEvent, { maxLength: 40 }), async (events) => {
      its = createSharedWorld()
      const [, { details }] = [its.startInstance('a'), its.startInstance('b')]
      for (const { kind, failure, ms, passesMs } of events) {
        if (kind === 'news') its.service.ids = [...its.service.ids, `new-${its.requests.length}`]
        else if (kind === 'failure') its.service.failure = failure
        else if (kind === 'no budget') its.service.failure = { ok: false, kind: 'no-budget', retryAtMs: START + ms }
        else if (kind === 'away') its.store.disconnect()
        else if (kind === 'back') its.store.reconnect()
        else if (kind === 'lease ends') its.store.expireLease()
        else if (kind === 'loss') its.store.loseContent()
        await its.run(passesMs)
      }
      its.service.failure = null
      its.store.reconnect()
      for (let count = 0; count < 3; count++) {
        const sent = its.requestsFor(LIST).length
        for (let minute = 0; minute < 75 && its.requestsFor(LIST).length === sent; minute++) await its.run(MINUTE)
        expect(its.requestsFor(LIST).length).toBeGreaterThan(sent)
      }
      expect(details.join()).not.toContain('twice at a time')
    }),
    { numRuns: 100 },
  )
}, 90_000)
