import { DrizzleQueryError } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { REASON_HEADER } from '@/lib/contract/headers'
import type { Permission } from '@/lib/contract/endpoint'
import { makeViewer } from '@/server/access/viewer'
import { createOutage } from '@/server/base/database-outage'
import { createLogger } from '@/server/base/logger'
import { routeWorld, SARA } from '@/server/http/testing/route-world'
import { createEndpointHandler } from './routes'

let viewer = makeViewer(SARA)
let [log, cookie] = ['', '']
const world = routeWorld({
  logger: createLogger({ logLevel: 'info' }, { write: (line) => void (log += line) }, createOutage()),
  viewers: { find: async () => viewer },
  logRefusal: () => void (log += 'refusal'),
})
beforeAll(async () => void (cookie = await world.cookie()))
beforeEach(() => void (log = ''))

const ask = (who: Permission, method: 'GET' | 'POST', run: () => unknown = () => ({})) => {
  const headers = { cookie, origin: 'https://intag.test' }
  const route = createEndpointHandler({ summary: 'a test', who }, { pattern: '/api/things', method }, run)
  return route(new Request('http://intag.test/api/things', { method, headers }), { params: Promise.resolve({}) })
}
const failWith = (code: string) => () => {
  throw new DrizzleQueryError('update', ['asa@x.test'], Object.assign(new Error('connect'), { code }))
}

test.each([
  ['ECONNREFUSED', 'POST', 'Not saved: the database cannot be reached'],
  // What a server whose disk is full answers to each client.
  ['XX000', 'POST', 'Not saved: the database cannot be reached'],
  ['53100', 'POST', 'Not saved: the database cannot be written to'],
  ['ECONNREFUSED', 'GET', 'The database cannot be reached'],
] as const)('by %s a %s is answered: %s; the log has the request alone', async (code, method, error) => {
  // The first failure of an outage is the one that is described.
  await ask('leads:triage', method, failWith(code))
  log = ''
  const answer = await ask('leads:triage', method, failWith(code))
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(answer.headers.get(REASON_HEADER)).toBe('database-away')
  expect(await answer.json()).toEqual({ error })
  expect(log).toMatch(/^[^\n]*"status":503[^\n]*\n$/)
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
