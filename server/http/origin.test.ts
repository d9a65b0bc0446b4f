import { expect, test, vi } from 'vitest'
import type { Env } from '@/server/base/env'
import { requireSameOrigin } from './origin'
import { HttpError } from './responses'

const auth = { url: 'https://intag.test', secret: 's'.repeat(32) }
const connected: Pick<Env, 'mode' | 'auth'> = { mode: 'connected', auth }
const demo: Pick<Env, 'mode' | 'auth'> = { mode: 'demo', auth: { ...auth, url: 'http://localhost:3000' } }

type Headers = Record<string, string>
/** True, or the address that our own page was opened at, as it is logged; null for another site. */
function outcome(env: typeof connected, headers: Headers, { method = 'POST', isOriginOptional = false } = {}) {
  const warn = vi.fn<(line: { openedAt?: string }) => void>()
  try {
    const request = new Request('http://127.0.0.1:3000/api/things', { method, headers })
    requireSameOrigin({ env, logger: { warn } }, request, { isOriginOptional })
    return true
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 403) throw error
    expect(error.reason !== undefined).toBe(warn.mock.calls.length > 0)
    return warn.mock.calls[0]?.[0].openedAt ?? null
  }
}
const refusalOf = (headers: Headers) => outcome(connected, headers)
const isLetIn = (...asked: Parameters<typeof outcome>) => outcome(...asked) === true
const isLetInToSignIn = (headers: Headers) => isLetIn(connected, headers, { isOriginOptional: true })

test.each([
  ['https://intag.test', true],
  ['http://intag.test', false],
  ['https://intag.test.evil.test', false],
  ['null', false],
  ['', false],
])('connected, a change or a sign-in from %s: %s', (origin, expected) => {
  const headers = { origin, host: '127.0.0.1:3000' }
  expect([isLetIn(connected, headers), isLetInToSignIn(headers)]).toEqual([expected, expected])
})

test.each([
  ['http://192.168.1.7:3000', {}, true],
  ['http://192.168.1.7:3001', {}, false],
  ['https://192.168.1.7:3000', {}, false],
  ['https://192.168.1.7:3000', { 'x-forwarded-proto': 'https' }, true],
  ['http://192.168.1.7:3000', { 'x-forwarded-proto': 'https' }, false],
  ['null', {}, false],
])('in a demo the requested address is an origin too: a change from %s %o: %s', (origin, more, expected) => {
  expect(isLetIn(demo, { origin, host: '192.168.1.7:3000', ...more })).toBe(expected)
})

test('a request without an origin changes nothing, but may sign in, and may read', () => {
  expect([isLetIn(connected, {}), isLetInToSignIn({})]).toEqual([false, true])
  for (const method of ['GET', 'HEAD', 'OPTIONS'])
    expect(isLetIn(connected, { origin: 'https://evil.test' }, { method })).toBe(true)
})

test.each([
  ['same-origin', true],
  ['none', true],
  ['same-site', false],
  ['cross-site', false],
])('when the browser says that %s sent it: %s', (site, expected) => {
  const headers = { 'sec-fetch-site': site }
  expect([isLetIn(connected, { ...headers, origin: auth.url }), isLetInToSignIn(headers)]).toEqual([expected, expected])
})

const elsewhere = 'https://intag.skolan.test'
const tooLong = `https://${'a'.repeat(60)}.${'b'.repeat(60)}.test`
test.each([
  ['our page over https, as the browser says', { origin: elsewhere, 'sec-fetch-site': 'same-origin' }, elsewhere],
  ['our page over http, by its host', { origin: 'http://intag.test', host: 'intag.test' }, 'http://intag.test'],
  ['our page, cut', { origin: tooLong, 'sec-fetch-site': 'same-origin' }, tooLong.slice(0, 100)],
  ['another site', { origin: 'https://evil.test', host: 'intag.test', 'sec-fetch-site': 'cross-site' }, null],
  ['another site of the same domain', { origin: 'https://www.intag.test', 'sec-fetch-site': 'same-site' }, null],
  ['another site in an old browser', { origin: 'https://evil.test', host: 'intag.test' }, null],
  ['no origin at all', { 'sec-fetch-site': 'same-origin' }, null],
])('at another address than NEXTAUTH_URL: %s', (_, headers, expected) => {
  expect(refusalOf(headers)).toBe(expected)
})
