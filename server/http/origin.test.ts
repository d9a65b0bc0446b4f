import { describe, expect, test, vi } from 'vitest'
import type { Env } from '@/server/base/env'
import { requireSameOrigin } from './origin'
import { HttpError } from './responses'

const auth = { url: 'https://intag.test', secret: 's'.repeat(32) }
const connected: Pick<Env, 'mode' | 'auth'> = { mode: 'connected', auth }
const demo: Pick<Env, 'mode' | 'auth'> = { mode: 'demo', auth: { ...auth, url: 'http://localhost:3000' } }

const [ELSEWHERE, PORT] = ['https://intag.skolan.test', 'https://intag.test:8443']

type Headers = Record<string, string>
/** True, or the address that our own page was opened at, as it is logged; null for another site. */
function outcome(env: typeof connected, headers: Headers, { method = 'POST', isOptional = false } = {}) {
  const warn = vi.fn<(line: { openedAt?: string }) => void>()
  try {
    const request = new Request('http://127.0.0.1:3000/api/things', { method, headers })
    requireSameOrigin({ env, logger: { warn } }, request, { isOptional })
    return true
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 403) throw error
    expect(error.reason !== undefined).toBe(warn.mock.calls.length > 0)
    return warn.mock.calls[0]?.[0].openedAt ?? null
  }
}
const isLetIn = (...asked: Parameters<typeof outcome>) => outcome(...asked) === true
const isLetInToSignIn = (env: typeof connected, headers: Headers) => isLetIn(env, headers, { isOptional: true })

describe('connected, there is one origin', () => {
  test.each([
    ['https://intag.test', true],
    ['http://intag.test', false],
    ['https://intag.test:8443', false],
    ['https://www.intag.test', false],
    ['https://intag.test.evil.test', false],
    ['https://intag.test/', false],
    ['null', false],
    ['', false],
  ])('a change from %s: %s', (origin, expected) => {
    const headers = { origin, host: 'intag.test' }
    expect(isLetIn(connected, headers)).toBe(expected)
    expect(isLetInToSignIn(connected, headers)).toBe(expected)
  })

  test('the requested host is no origin', () => {
    const headers = { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }
    expect(isLetIn(connected, headers)).toBe(false)
  })
})

describe('in a demo the requested address is an origin too', () => {
  const host = '192.168.1.7:3000'
  test.each([
    ['http://192.168.1.7:3000', {}, true],
    ['http://192.168.1.7:3001', {}, false],
    ['http://192.168.1.7', {}, false],
    ['https://192.168.1.7:3000', {}, false],
    ['https://192.168.1.7:3000', { 'x-forwarded-proto': 'https' }, true],
    ['http://192.168.1.7:3000', { 'x-forwarded-proto': 'https' }, false],
    ['http://localhost:3000', {}, true],
    ['null', {}, false],
  ])('a change from %s %o: %s', (origin, more, expected) => {
    expect(isLetIn(demo, { origin, host, ...more })).toBe(expected)
  })

  test('without a host there is none', () => {
    expect(isLetIn(demo, { origin: 'http://' })).toBe(false)
  })
})

test('a request without an origin changes nothing, but may sign in', () => {
  expect(isLetIn(connected, {})).toBe(false)
  expect(isLetInToSignIn(connected, {})).toBe(true)
})

test.each([
  ['same-origin', true],
  ['none', true],
  ['same-site', false],
  ['cross-site', false],
])('when the browser says that %s sent it: %s', (site, expected) => {
  const headers = { 'sec-fetch-site': site, origin: auth.url }
  expect(isLetIn(connected, headers)).toBe(expected)
  expect(isLetInToSignIn(connected, { 'sec-fetch-site': site })).toBe(expected)
})

test('reading needs no origin', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS'])
    expect(isLetIn(connected, { origin: 'https://evil.test' }, { method })).toBe(true)
})

describe('our own page at another address than NEXTAUTH_URL is distinguished from another site', () => {
  const refusalOf = (headers: Headers) => outcome(connected, headers)
  test.each([
    ['over https, as the browser says', { origin: ELSEWHERE, 'sec-fetch-site': 'same-origin' }, ELSEWHERE],
    ['over http, by the host asked for', { origin: 'http://intag.test', host: 'intag.test' }, 'http://intag.test'],
    ['another port', { origin: PORT, 'sec-fetch-site': 'same-origin' }, PORT],
    ['another site', { origin: 'https://evil.test', host: 'intag.test', 'sec-fetch-site': 'cross-site' }, null],
    ['another site of the same domain', { origin: 'https://www.intag.test', 'sec-fetch-site': 'same-site' }, null],
    ['another site in an old browser', { origin: 'https://evil.test', host: 'intag.test' }, null],
    ['a page of nobody', { origin: 'null', 'sec-fetch-site': 'same-origin' }, null],
    ['no origin at all', { 'sec-fetch-site': 'same-origin' }, null],
  ])('%s', (_what, headers, expected) => {
    expect(refusalOf(headers)).toBe(expected)
  })

  test('however long it is, a hundred characters are kept', () => {
    const origin = `https://${'a'.repeat(60)}.${'b'.repeat(60)}.test`
    expect(refusalOf({ origin, 'sec-fetch-site': 'same-origin' })).toHaveLength(100)
  })
})
