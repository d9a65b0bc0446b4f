import { describe, expect, test } from 'vitest'
import type { Env } from '@/server/env'
import { refuseForeignOrigin, requireSameOrigin } from './origin'
import { HttpError } from './responses'

const auth = { url: 'https://intag.test', secret: 's'.repeat(32) }
const connected: Pick<Env, 'mode' | 'auth'> = { mode: 'connected', auth }
const demo: Pick<Env, 'mode' | 'auth'> = { mode: 'demo', auth: { ...auth, url: 'http://localhost:3000' } }

type Check = typeof requireSameOrigin
function isLetIn(check: Check, own: typeof connected, headers: Record<string, string>, method = 'POST'): boolean {
  try {
    check(new Request('http://127.0.0.1:3000/api/things', { method, headers }), own)
    return true
  } catch (error) {
    if (error instanceof HttpError && error.status === 403) return false
    throw error
  }
}

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
    expect(isLetIn(requireSameOrigin, connected, headers)).toBe(expected)
    expect(isLetIn(refuseForeignOrigin, connected, headers)).toBe(expected)
  })

  test('the host that was asked for is none', () => {
    const headers = { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }
    expect(isLetIn(requireSameOrigin, connected, headers)).toBe(false)
  })
})

describe('in a demo, the address that was asked for will do', () => {
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
    expect(isLetIn(requireSameOrigin, demo, { origin, host, ...more })).toBe(expected)
  })

  test('where no host is named nothing is', () => {
    expect(isLetIn(requireSameOrigin, demo, { origin: 'http://' })).toBe(false)
  })
})

test('who names no origin changes nothing, but may sign in', () => {
  expect(isLetIn(requireSameOrigin, connected, {})).toBe(false)
  expect(isLetIn(refuseForeignOrigin, connected, {})).toBe(true)
})

test.each([
  ['same-origin', true],
  ['none', true],
  ['same-site', false],
  ['cross-site', false],
])('when the browser says that %s sent it: %s', (site, expected) => {
  const headers = { 'sec-fetch-site': site, origin: auth.url }
  expect(isLetIn(requireSameOrigin, connected, headers)).toBe(expected)
  expect(isLetIn(refuseForeignOrigin, connected, { 'sec-fetch-site': site })).toBe(expected)
})

test('reading needs no origin', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS'])
    expect(isLetIn(requireSameOrigin, connected, { origin: 'https://evil.test' }, method)).toBe(true)
})
