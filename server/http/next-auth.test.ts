import { expect, test, vi } from 'vitest'
import { UnauthenticatedError } from '@/server/base/errors'
import type { Activity } from '@/server/access/activity'
import { createSeal } from '@/server/base/seal'
import { authOptions, type Visit } from './next-auth'
import type { Viewers } from '@/server/access/session'
import { renewedSessionCookie } from '@/server/access/session-cookie'
import type { NewSession, Sessions } from '@/server/access/sessions'
import { storedUser } from '@/server/access/testing/stored-user'
import { makeViewer } from '@/server/access/viewer'
import { testServices } from '@/server/testing/services'
import pino from 'pino'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0'
const eva = storedUser('eva')
const begin = vi.fn<(session: NewSession) => Promise<string>>(async () => 's1')
const find = vi.fn<Viewers['find']>()
const end = vi.fn<Sessions['end']>(async () => true)
const person = vi.fn<(userId: string) => Promise<void>>(async () => {})
const recordIn = vi.fn<Activity['recordIn']>(async () => {})
/** Nothing is read or written; a transaction is its work. */
const connect = (async () => ({ transaction: (work: (tx: unknown) => unknown) => work({}) })) as never

const env = { auth: { url: 'https://intag.test', secret: 's'.repeat(32) }, oidc: null }
const NOW = Date.UTC(2027, 0, 20, 8)
const seal = createSeal(new Uint8Array(32))
const pairOf = (cookie: string) => cookie.slice(0, cookie.indexOf(';'))
const from = (headers: Record<string, string> = {}) => new Request('https://intag.test/api/auth/x', { headers })
const visitWith = (request: Request): Visit => ({
  request,
  address: '192.0.2.7',
  signOn: null,
  failure: null,
})
const visit = visitWith(from())
const optionsFor = (of = visit, url = env.auth.url) =>
  authOptions(
    testServices({
      env: { ...env, auth: { ...env.auth, url } },
      sessions: { begin, recordProof: async () => {}, end, endAll: async () => 0, find: async () => null },
      viewers: { find },
      announcer: { userChanged: person },
      activity: { recordIn },
      counters: {},
      connect,
      logger: pino({ enabled: false }),
      seal,
      now: () => NOW,
    }),
    of,
  )
const options = optionsFor()

const sessionCookie = () => renewedSessionCookie({ userId: 'eva', id: 's1' }, env)

test('the token names the person and the session that begins, and holds nothing else', async () => {
  const token = { sub: 'eva', name: 'Eva', email: 'eva@x.test', picture: null }
  const own = visitWith(from({ 'user-agent': FIREFOX }))
  const made = await optionsFor(own).callbacks?.jwt?.({ token, user: eva, account: null, trigger: 'signIn' })
  expect(made).toEqual({ sub: 'eva', sid: 's1' })
  const session = { userId: 'eva', method: 'password', device: 'Firefox, Windows', address: '192.0.2.7' }
  expect(begin).toHaveBeenCalledWith(session)
})

test('a token is carried on only while its session holds', async () => {
  const carryOn = () =>
    options.callbacks?.jwt?.({ token: { sub: 'eva', sid: 's1', email: 'eva@x.test' }, user: eva, account: null })
  find.mockResolvedValueOnce(makeViewer(eva))
  expect(await carryOn()).toEqual({ sub: 'eva', sid: 's1' })
  find.mockResolvedValueOnce(null)
  await expect(carryOn()).rejects.toThrow(UnauthenticatedError)
})

test('signing out ends the session on the server, is logged, reaches open streams, and is not reported as done if it failed', async () => {
  const own = visitWith(from({ cookie: pairOf(await sessionCookie()) }))
  const signOut = () => optionsFor(own).events?.signOut?.({ token: {}, session: { expires: '' } })
  find.mockResolvedValue(makeViewer(eva))
  await signOut()
  expect(end).toHaveBeenCalledWith(expect.anything(), 'eva', 's1', 'person')
  expect(recordIn).toHaveBeenCalledWith(expect.anything(), { action: 'sign-out', userId: 'eva' })
  expect([person.mock.calls, own.failure]).toEqual([[['eva']], null])
  end.mockRejectedValueOnce(new Error('connection lost'))
  await signOut()
  expect(own.failure).toEqual(new Error('connection lost'))
})

test.each([
  ['https://intag.test/questions?q=1', 'https://intag.test/questions?q=1'],
  ['/questions', 'https://intag.test/questions'],
  ['https://intag.test.evil.test/', 'https://intag.test/'],
  ['//evil.test', 'https://intag.test/'],
])('after signing in, %s leads to %s', async (url, target) => {
  expect(await options.callbacks?.redirect?.({ url, baseUrl: 'https://intag.test' })).toBe(target)
})

test('cookies are secure exactly when people come over https', () => {
  const isSecure = [options, optionsFor(visit, 'http://localhost:3000')].map((each) => each.useSecureCookies)
  expect(isSecure).toEqual([true, false])
})
