import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { NotReadyError } from '@/server/errors'
import { createFrontDoor } from './front-door'
import { createLoad, isPage } from './load'
import { watchRequests } from './open-requests'

test('admits as many reads as can be answered in time, and the next when one has ended', () => {
  const load = createLoad()
  const ends = Array.from({ length: 250 }, () => load.begin('read'))
  expect(() => load.begin('read')).toThrow(NotReadyError)
  ends[0]?.()
  load.begin('read')
  expect([load.underWay(), load.turnedAway()]).toEqual([250, 1])
})

test('admits changes when no read is admitted any more, until those are too many as well', () => {
  const load = createLoad()
  for (let count = 0; count < 1_000; count += 1) load.begin(count < 250 ? 'read' : 'change')
  expect(() => load.begin('change')).toThrow('Too many requests at once')
})

test('changes keep no read out', () => {
  const load = createLoad()
  for (let count = 0; count < 1_000; count += 1) load.begin('change')
  expect(() => load.begin('change')).toThrow(NotReadyError)
  expect(() => load.begin('read')).not.toThrow()
})

test.each([
  [0, 2],
  [0.5, 5],
  [0.99, 7],
])('asks each to come back at a different moment (%s)', (chance, retryAfterSeconds) => {
  const load = createLoad({ random: () => chance })
  for (let count = 0; count < 250; count += 1) load.begin('read')
  expect(() => load.begin('read')).toThrow(expect.objectContaining({ retryAfterSeconds }))
})

test('while a crowd keeps the process busy, requests are refused until its timers run again', () => {
  const clock = { ms: 0 }
  const load = createLoad({ random: () => 0, monotonic: () => clock.ms })
  const page = () => {
    const end = load.count('page')
    const wait = load.retrySeconds('page')
    end()
    return wait
  }
  const waits = Array.from({ length: 80 }, () => {
    clock.ms += 15
    return page()
  })
  expect(waits.indexOf(2), 'after a second').toBe(66)
  expect(() => load.begin('read')(), 'what is quick is let in for longer').not.toThrow()
  clock.ms += 1_000
  expect(() => load.begin('read')).toThrow(NotReadyError)
  expect(() => load.begin('change')(), 'and changes for longest').not.toThrow()
  load.tick()
  expect([page(), load.underWay()]).toEqual([null, 0])
})

test('a process that was suspended refuses nothing', () => {
  const clock = { ms: 0 }
  const load = createLoad({ monotonic: () => clock.ms })
  clock.ms += 8 * 3_600_000
  load.count('page')
  expect(load.retrySeconds('page')).toBeNull()
})

test('a page is counted from its request until it is sent or called off, and too many are refused with a time to come back', async () => {
  const load = createLoad({ random: () => 0, monotonic: () => 0 })
  watchRequests(createFrontDoor({ auth: { url: '', secret: '' }, trustedProxies: 0 }, { load }))
  const waits: (number | null)[] = []
  const held: (() => void)[] = []
  const server = createServer((request, response) => {
    waits.push(load.retrySeconds('page'))
    held.push(() => void response.end())
    if (request.url === '/api/status' || waits.length === 82) for (const end of held.splice(0)) end()
  }).listen(0, '127.0.0.1')
  afterAll(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const called = new AbortController()
  const open = (path: string, signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}${path}`, { signal: signal ?? null }).then((answer) => answer.status)
  const gone = open('/questions', called.signal).catch(() => 'called off')
  await expect.poll(() => load.underWay()).toBe(1)
  called.abort()
  expect(await gone).toBe('called off')
  await expect.poll(() => load.underWay()).toBe(0)
  await Promise.all(Array.from({ length: 81 }, () => open('/declarations?year=2027')))
  expect(waits.slice(1)).toEqual([...Array.from({ length: 80 }, () => null), 2])
  await expect.poll(() => load.underWay()).toBe(0)
  expect(load.turnedAway()).toBe(1)
})

const PAGES = ['/', '/declarations', '/declarations?q=a.svg', '/contacts/abc.d', '/apiary', '//evil.test']
test.each(PAGES)('%s is a page', (address) => expect(isPage(address)).toBe(true))
const OTHERS = ['/api/status', '/api?x', '/external/v1/highSchools', '/_next/static/chunks/a.js', '/icon.svg?v=2']
test.each(OTHERS)('%s is none', (address) => expect(isPage(address)).toBe(false))
