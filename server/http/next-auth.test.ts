import { expect, test, vi } from 'vitest'
import { UnauthenticatedError } from '@/server/base/errors'
import type { ActivityLog } from '@/server/access/activity'
import { createAuthOptions } from './next-auth'
import type { Viewers } from '@/server/access/viewer-cache'
import { encodeSessionCookie } from '@/server/access/session-cookie'
import type { NewSession, Sessions } from '@/server/access/sessions'
import { storedUser } from '@/server/access/testing/stored-user'
import { makeViewer } from '@/server/access/viewer'
import { testServices } from '@/server/testing/services'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0'
const eva = storedUser('eva')
const begin = vi.fn<(session: NewSession) => Promise<string>>(async () => 's1')
const find = vi.fn<Viewers['find']>()
const end = vi.fn<Sessions['end']>(async () => true)
const announceUser = vi.fn<(userId: string) => Promise<void>>(async () => {})
const recordIn = vi.fn<ActivityLog['recordIn']>(async () => {})

const env = { auth: { url: 'https://intag.test', secret: 's'.repeat(32) }, oidc: null }
const services = testServices({
  env,
  sessions: { begin, end },
  viewers: { find },
  announcer: { announceUser },
  activity: { recordIn },
  counters: {},
  // Nothing is read or written; a transaction is its work.
  connect: async () => ({ transaction: (work: (tx: unknown) => unknown) => work({}) }),
  logger: {},
  seal: {},
})
const visitWith = (headers: Record<string, string>) => {
  const request = new Request('https://intag.test/api/auth/x', { headers })
  return { request, address: '192.0.2.7', signOn: null, failure: null }
}
const optionsFor = (visit = visitWith({})) => createAuthOptions(services, visit)

test('the token names the person and the session that begins, and holds nothing else', async () => {
  const token = { sub: 'eva', name: 'Eva', email: 'eva@x.test', picture: null }
  const { callbacks } = optionsFor(visitWith({ 'user-agent': FIREFOX }))
  const made = await callbacks?.jwt?.({ token, user: eva, account: null, trigger: 'signIn' })
  expect(made).toEqual({ sub: 'eva', sid: 's1' })
  const session = { userId: 'eva', method: 'password', device: 'Firefox, Windows', address: '192.0.2.7' }
  expect(begin).toHaveBeenCalledWith(session)
})

test('a token is carried on only while its session holds', async () => {
  const token = { sub: 'eva', sid: 's1', email: 'eva@x.test' }
  const carryOn = () => optionsFor().callbacks?.jwt?.({ token, user: eva, account: null })
  find.mockResolvedValueOnce(makeViewer(eva))
  expect(await carryOn()).toEqual({ sub: 'eva', sid: 's1' })
  find.mockResolvedValueOnce(null)
  await expect(carryOn()).rejects.toThrow(UnauthenticatedError)
})

test('signing out ends the session on the server, is logged, reaches open streams, and is not reported as done if it failed', async () => {
  const cookie = await encodeSessionCookie({ userId: 'eva', id: 's1' }, env)
  const visit = visitWith({ cookie: cookie.slice(0, cookie.indexOf(';')) })
  const signOut = () => optionsFor(visit).events?.signOut?.({ token: {}, session: { expires: '' } })
  find.mockResolvedValue(makeViewer(eva))
  await signOut()
  expect(end).toHaveBeenCalledWith(expect.anything(), 'eva', 's1', 'person')
  expect(recordIn).toHaveBeenCalledWith(expect.anything(), { action: 'sign-out', userId: 'eva' })
  expect([announceUser.mock.calls, visit.failure]).toEqual([[['eva']], null])
  end.mockRejectedValueOnce(new Error('connection lost'))
  await signOut()
  expect(visit.failure).toEqual(new Error('connection lost'))
})

test.each([
  ['https://intag.test/questions?q=1', 'https://intag.test/questions?q=1'],
  ['/questions', 'https://intag.test/questions'],
  ['https://intag.test.evil.test/', 'https://intag.test/'],
])('after signing in, %s leads to %s', async (url, target) => {
  expect(await optionsFor().callbacks?.redirect?.({ url, baseUrl: 'https://intag.test' })).toBe(target)
})
