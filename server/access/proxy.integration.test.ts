import { NextRequest } from 'next/server'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { LOCALE_COOKIE } from '@/lib/i18n/locale'
import { config, proxy } from '@/proxy'
import { processOutageMonitor } from '@/server/base/database-outage'
import { processLifecycle } from '@/server/http/lifecycle'

const settings = { mode: 'connected', auth: { url: 'https://intag.test', secret: '' } }
beforeAll(() => {
  Reflect.set(globalThis, Symbol.for('intag.env'), settings)
  processLifecycle().markUp()
})
afterAll(() => void Reflect.deleteProperty(globalThis, Symbol.for('intag.env')))

const visit = (path: string, cookie = '', language = 'sv') =>
  proxy(new NextRequest(`https://intag.test${path}`, { headers: { cookie, 'accept-language': language } }))
const session = '__Host-next-auth.session-token=x'
const locationOf = async (path: string) => (await visit(path)).headers.get('location')
const waitOf = ({ status, headers }: Response) => [status, headers.get('retry-after'), headers.get('refresh')]

test('without a session a page leads to signing in, and back to itself', async () => {
  expect(await locationOf('/declarations?year=2027&q=%C3%85sa')).toBe(
    'https://intag.test/signin?callbackUrl=%2Fdeclarations%3Fyear%3D2027%26q%3D%25C3%2585sa',
  )
  for (const path of ['/', '/proof', '/proof?error=SignOn-expired'])
    expect(await locationOf(path)).toBe('https://intag.test/signin')
  for (const path of ['//evil.test', '/\\evil.test', '/%2f%2fevil.test', '/@evil.test', '/signin.evil.test/x'])
    expect(await locationOf(path)).toMatch(/^https:\/\/intag\.test\/signin\?callbackUrl=%2F/)
})

test.each(['/signin', '/signin?error=x', '/invite', '/icon.svg'])('%s is open to everyone', async (path) => {
  expect(await locationOf(path)).toBeNull()
})

test('a page gets a nonce of its own, the same in the policy', async () => {
  const [one, two] = [await visit('/questions', session), await visit('/questions', session)]
  const nonceOf = (response: typeof one) => response.headers.get('x-middleware-request-x-nonce')
  expect(nonceOf(one)).toMatch(/^[A-Za-z0-9+/]{22}==$/)
  expect(nonceOf(two)).not.toBe(nonceOf(one))
  expect(one.headers.get('content-security-policy')).toContain(`'nonce-${nonceOf(one)}'`)
})

test.each([
  ['starting', 'sv', 'Intag startar'],
  ['starting', 'en-GB', 'Intag is starting'],
  ['waiting', 'sv', 'Intag väntar på databasen'],
] as const)(
  'while Intag is %s every page says so to everybody, in %s, and comes again',
  async (phase, language, title) => {
    Reflect.deleteProperty(globalThis, Symbol.for('intag.lifecycle'))
    const lifecycle = processLifecycle()
    onTestFinished(lifecycle.markUp)
    lifecycle.setWaitingForDatabase(phase === 'waiting')
    for (const path of ['/declarations', '/signin', '/unreachable']) {
      const answer = await visit(path, path === '/declarations' ? session : '', language)
      expect([...waitOf(answer), answer.headers.get('cache-control')]).toEqual([503, '3', '3', 'no-store'])
      expect(await answer.text()).toContain(title)
    }
    const chosen = await visit('/signin', `${LOCALE_COOKIE}=en`, language)
    expect(await chosen.text(), 'the chosen language').toContain('<html lang="en">')
    expect((await visit('/icon.svg')).status).toBe(200)
  },
)

describe('while the database is away', () => {
  let isThere = false
  beforeAll(() => processOutageMonitor().setProbe(async () => isThere))
  afterAll(() => processOutageMonitor().setProbe(async () => true))

  test('who cannot be identified is told so, until it answers; every other page is its own to answer', async () => {
    const answer = await visit('/unreachable', session)
    expect(waitOf(answer)).toEqual([503, '5', '5'])
    expect(await answer.text()).toContain('Databasen går inte att nå')
    expect((await visit('/questions', session)).status).toBe(200)
    isThere = true
    expect((await visit('/unreachable', session)).status).toBe(307)
  })
})

test.each([
  [true, ['/', '/questions', '/apiary', '/externals', '/contacts/a.b']],
  [false, ['/api', '/api/users', '/external/highSchools', '/_next/static/x.js']],
])('pages alone come by here, not data, the service or files of the build: %s for %j', (expected, paths) => {
  const isMatched = (path: string) => config.matcher.some((pattern) => new RegExp(`^${pattern}$`).test(path))
  expect(paths.filter((path) => isMatched(path) !== expected)).toEqual([])
})
