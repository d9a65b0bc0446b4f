import { NextRequest } from 'next/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { config, proxy } from '@/proxy'

/** What env() of this process is. */
const settings = { mode: 'connected', auth: { url: 'https://intag.test', secret: '' } }
beforeAll(() => void Reflect.set(globalThis, Symbol.for('intag.env'), settings))
afterAll(() => void Reflect.deleteProperty(globalThis, Symbol.for('intag.env')))

const visit = (path: string, cookie = '') =>
  proxy(new NextRequest(`https://intag.test${path}`, { headers: cookie === '' ? {} : { cookie } }))
const session = '__Host-next-auth.session-token=x'
const locationOf = (path: string) => visit(path).headers.get('location')

test('without a session a page leads to signing in, and back to itself', () => {
  expect(locationOf('/declarations?year=2027&q=%C3%85sa')).toBe(
    'https://intag.test/signin?callbackUrl=%2Fdeclarations%3Fyear%3D2027%26q%3D%25C3%2585sa',
  )
  expect(locationOf('/')).toBe('https://intag.test/signin')
})

test.each(['/signin', '/signin?error=x', '/invite', '/icon.svg'])('%s is open to everyone', (path) => {
  expect(locationOf(path)).toBeNull()
})

test('whatever the path, the way to sign in stays on this site', () => {
  for (const path of ['//evil.test', '/\\evil.test', '/%2f%2fevil.test', '/@evil.test', '/signin.evil.test/x']) {
    expect(locationOf(path)).toMatch(/^https:\/\/intag\.test\/signin\?callbackUrl=%2F/)
  }
})

test('a page gets a nonce of its own, the same in the policy and for Next', () => {
  const [one, two] = [visit('/questions', session), visit('/questions', session)]
  const nonceOf = (response: typeof one) => response.headers.get('x-middleware-request-x-nonce')
  expect(nonceOf(one)).toMatch(/^[A-Za-z0-9+/]{22}==$/)
  expect(nonceOf(two)).not.toBe(nonceOf(one))
  expect(one.headers.get('content-security-policy')).toContain(`'nonce-${nonceOf(one)}'`)
  expect(one.headers.get('x-middleware-request-content-security-policy')).toBe(
    one.headers.get('content-security-policy'),
  )
})

test('data, the service and files of the build go past it', () => {
  const matches = (path: string) => config.matcher.some((pattern) => new RegExp(`^${pattern}$`).test(path))
  expect(['/', '/questions', '/apiary', '/externals', '/contacts/a.b'].map(matches)).toEqual([
    true,
    true,
    true,
    true,
    true,
  ])
  expect(['/api', '/api/users', '/external/highSchools', '/_next/static/x.js'].map(matches)).toEqual([
    false,
    false,
    false,
    false,
  ])
})
