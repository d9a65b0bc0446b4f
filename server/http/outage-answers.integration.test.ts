import { DrizzleQueryError } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { REASON_HEADER } from '@/lib/contract/headers'
import type { Permission } from '@/lib/contract/endpoint'
import { makeViewer } from '@/server/access/viewer'
import { createOutage } from '@/server/base/outage'
import { createLogger } from '@/server/base/logger'
import { routeWorld, SARA } from '@/server/http/testing/route-world'
import { createRoute } from './routes'

let viewer = makeViewer(SARA)
let [log, cookie] = ['', '']
const world = routeWorld({
  logger: createLogger({ logLevel: 'info' }, { write: (line) => void (log += line) }, createOutage()),
  viewers: { find: async () => viewer },
  refusals: () => void (log += 'refusal'),
})
beforeAll(async () => void (cookie = await world.cookie()))
beforeEach(() => {
  log = ''
  viewer = makeViewer(SARA)
})

const ask = (who: Permission, method: 'GET' | 'POST', run: () => unknown = () => ({}), more = {}) =>
  createRoute(
    { summary: 'a test', who },
    { label: '/api/things', method },
    run,
  )(
    new Request('http://intag.test/api/things', { method, headers: { cookie, origin: 'https://intag.test', ...more } }),
    { params: Promise.resolve({}) },
  )
const fails = (code: string) => () => {
  throw new DrizzleQueryError('update', ['asa@x.test'], Object.assign(new Error('connect'), { code }))
}

test.each([
  ['ECONNREFUSED', 'POST', 'Not saved: the database cannot be reached'],
  ['57P01', 'POST', 'Not saved: the database cannot be reached'],
  // What a server whose disk is full answers to each client.
  ['XX000', 'POST', 'Not saved: the database cannot be reached'],
  ['53100', 'POST', 'Not saved: the database cannot be written to'],
  ['ECONNREFUSED', 'GET', 'The database cannot be reached'],
] as const)('by %s a %s is answered: %s', async (code, method, error) => {
  const answer = await ask('leads:triage', method, fails(code))
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(answer.headers.get(REASON_HEADER)).toBe('database-away')
  expect(await answer.json()).toEqual({ error })
})

test('the log has the requests, and nothing of the error for each', async () => {
  for (let count = 0; count < 3; count += 1) await ask('leads:triage', 'POST', fails('ECONNREFUSED'))
  expect(log.match(/"status":503/g)).toHaveLength(3)
  expect(log).not.toMatch(/asa@x|"at":|request failed/)
})

test('a withheld permission is answered as an outage, a missing one as forbidden', async () => {
  viewer = makeViewer(SARA, { readOnly: true })
  const statusFor = async (permission: Permission) => (await ask(permission, 'GET')).status
  expect([await statusFor('leads:read'), await statusFor('leads:triage')]).toEqual([200, 503])
  expect(log).not.toContain('refusal')
  expect(await statusFor('admin')).toBe(403)
  expect(log).toContain('refusal')
})

test('our page at another address learns why nothing is saved, and so do administrators; another site learns nothing', async () => {
  const from = (origin: string, site: string) =>
    ask('leads:triage', 'POST', () => ({}), { origin, 'sec-fetch-site': site })
  const ours = await from('https://intag.skolan.test', 'same-origin')
  expect([ours.status, ours.headers.get(REASON_HEADER)]).toEqual([403, 'other-address'])
  expect(await ours.json()).toMatchObject({ error: expect.stringContaining('set up for (https://intag.test)') })
  const theirs = await from('https://evil.test', 'cross-site')
  expect([theirs.status, await theirs.json()]).toEqual([403, { error: 'Unauthorized' }])
  expect(log).toContain('"openedAt":"https://intag.skolan.test"')
})
