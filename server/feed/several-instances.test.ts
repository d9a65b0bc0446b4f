import { beforeEach, expect, test } from 'vitest'
import { type Instance, sharedWorld, visibleState } from '@/server/feed/testing/shared-world'

const START = Date.UTC(2026, 10, 20, 7)
const SECOND = 1_000
const MINUTE = 60 * SECOND
const LEASE_MS = 10 * SECOND
const LIST = 'declarations-of-interest'

let its: ReturnType<typeof sharedWorld>
beforeEach(() => {
  its = sharedWorld(START, LEASE_MS)
})

const states = (instances: Instance[]) => instances.map(({ feed }) => visibleState(feed.declarations()))
const sizes = (instances: Instance[]) => instances.map(({ feed }) => feed.declarations().content?.table.size)

function expectAgreement(instances: Instance[]): void {
  const [first, ...others] = states(instances)
  expect(first?.version).toBeGreaterThan(0)
  for (const other of others) expect(other).toEqual(first)
}

test('three instances send what one alone would send, and say the same', async () => {
  const alone = sharedWorld(START, LEASE_MS)
  alone.begin('alone')
  await alone.run(30 * MINUTE)

  const three = ['a', 'b', 'c'].map((name) => its.begin(name))
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

test('what one instance was given as validator, another sends back', async () => {
  its.begin('a')
  await its.run(5 * SECOND)
  its.begin('b')
  await its.run(MINUTE)
  const [first, ...others] = its.requestsFor(LIST).map(({ etag }) => etag)
  expect([first, ...new Set(others)]).toEqual([undefined, '"a"'])
})

test('a restart of all takes up where they were: the same version, at once', async () => {
  const before = its.begin('before')
  await its.run(MINUTE)
  const { version } = before.feed.declarations()
  before.kill()
  its.service.status = 503
  const after = its.begin('after')
  await its.run(SECOND)
  expect(after.feed.declarations()).toMatchObject({ version, fetchedAt: expect.any(Number) })
})

test('an instance that gets no messages takes over at the planned time and sends no more requests', async () => {
  const instances = [its.begin('a'), its.begin('deaf', { subscribes: false })]
  await its.run(10 * MINUTE)
  its.service.ids = ['a', 'b']
  await its.run(40 * SECOND)
  expect(sizes(instances)).toEqual([2, 2])
  const moments = its.requestsFor(LIST).map(({ at }) => at)
  const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThan(10 * SECOND)
})

test('when the instance that fetches dies, its lease expires and another continues', async () => {
  const [dying, other] = [its.begin('dying'), its.begin('other')]
  await its.run(100)
  expect(its.requestsFor(LIST)).toMatchObject([{ by: 'dying' }])
  dying.kill()
  await its.run(LEASE_MS - SECOND)
  expect(its.requestsFor(LIST)).toHaveLength(1)
  expect(other.feed.declarations()).toMatchObject({ content: null, problem: null })
  await its.run(2 * SECOND)
  expect(its.requestsFor(LIST)).toMatchObject([{ by: 'dying' }, { by: 'other' }])
  expect(sizes([other])).toEqual([1])
})

test('one failure is everyone’s: all show it, keep what they have, and one asks again', async () => {
  const three = ['a', 'b', 'c'].map((name) => its.begin(name))
  await its.run(MINUTE)
  const before = its.requestsFor(LIST).length
  its.service.status = 503
  await its.run(5 * MINUTE)
  expect(states(three).map(({ problem }) => problem)).toEqual(['unavailable', 'unavailable', 'unavailable'])
  expect(sizes(three)).toEqual([1, 1, 1])
  expect(its.requestsFor(LIST).length - before).toBeLessThanOrEqual(9)
  const late = its.begin('late')
  await its.run(SECOND)
  expect(sizes([late])).toEqual([1])
  its.service.status = 200
  await its.run(2 * MINUTE)
  expectAgreement([...three, late])
  expect(states(three)[0]?.problem).toBeNull()
})

test('while the share is away nothing is sent, and what is there stays; it recovers by itself', async () => {
  const two = [its.begin('a'), its.begin('b')]
  await its.run(MINUTE)
  const [before] = states(two)
  const sent = its.requests.length
  its.store.leave()
  await its.run(20 * MINUTE)
  expect(its.requests).toHaveLength(sent)
  expect(sizes(two)).toEqual([1, 1])
  for (const state of states(two)) expect(state).toMatchObject({ version: before?.version, problem: 'unavailable' })
  expect(two[0]?.details.at(-1)).toBe('the database: ECONNREFUSED')
  // Not the service's fault: every screen says so by this.
  expect(two[0]?.feed.declarations().problem).toMatchObject({ kind: 'unavailable', at: 'database' })
  its.store.comeBack()
  await its.run(5 * SECOND)
  expectAgreement(two)
  expect(states(two)[0]?.problem).toBeNull()
})

test('an answer that cannot be published does not count, so that all instances agree', async () => {
  const two = [its.begin('a'), its.begin('b')]
  await its.run(5 * SECOND)
  const [before] = states(two)
  its.service.ids = ['a', 'b']
  const sent = its.requestsFor(LIST).length
  while (its.requestsFor(LIST).length === sent) await its.run(100)
  its.store.leave()
  await its.run(SECOND)
  for (const state of states(two)) expect(state.version).toBe(before?.version)
})

test('a share that lost its content costs one request, and no version goes back', async () => {
  const two = [its.begin('a'), its.begin('b')]
  await its.run(MINUTE)
  const before = states(two)[0]?.version ?? Infinity
  its.store.loseContent()
  await its.run(MINUTE)
  expectAgreement(two)
  expect(states(two)[0]?.version).toBe(before)
})

test('instances whose clocks are minutes apart show the same age, counted from the request', async () => {
  const LOOK_MS = 7.3 * SECOND
  its.service.answerMs = 5_000
  const clocks = [0, 4 * MINUTE, -7 * MINUTE]
  const three = clocks.map((aheadMs, index) => its.begin(`instance ${index}`, { aheadMs }))
  for (let look = 0; look < 50; look++) {
    await its.run(LOOK_MS)
    const now = START + (look + 1) * LOOK_MS
    const asked = its.requestsFor(LIST).filter(({ at }) => START + at + its.service.answerMs <= now)
    const trueAge = now - START - (asked.at(-1)?.at ?? 0)
    for (const [index, { feed }] of three.entries()) {
      const age = now + (clocks[index] ?? 0) - (feed.declarations().fetchedAt ?? 0)
      expect(Math.abs(age - trueAge)).toBeLessThan(2 * SECOND)
    }
  }
})

test('a slow answer is a problem on every instance, and ends on every instance', async () => {
  const three = ['a', 'b', 'c'].map((name) => its.begin(name))
  await its.run(MINUTE)
  its.service.answerMs = 90 * SECOND
  await its.run(40 * SECOND)
  for (const { feed } of three) {
    const { problem, nextAt } = feed.declarations()
    expect(problem?.kind).toBe('unavailable')
    expect(nextAt ?? Infinity).toBeGreaterThan(START + 100 * SECOND)
  }
  its.service.answerMs = 400
  await its.run(75 * SECOND)
  expectAgreement(three)
  expect(states(three)[0]?.problem).toBeNull()
})
