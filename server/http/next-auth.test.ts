import { expect, test, vi } from 'vitest'
import type { ActivityLog } from '@/server/access/activity'
import { encodeSessionCookie } from '@/server/access/session-cookie'
import type { NewSession, Sessions } from '@/server/access/sessions'
import { storedUser } from '@/server/access/testing/stored-user'
import { makeViewer } from '@/server/access/viewer'
import type { Viewers } from '@/server/access/viewer-cache'
import { UnauthenticatedError } from '@/server/base/errors'
import { testServices } from '@/server/testing/services'
import { createAuthOptions } from './next-auth'

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
const open = (headers: Record<string, string> = {}) => {
  const request = new Request('https://intag.test/api/auth/x', { headers })
  const attempt = { request, address: '192.0.2.7', signOn: null, failure: null }
  return { attempt, ...createAuthOptions(services, attempt) }
}

test('the token names the user and the session that begins, nothing else, and only while that session holds', async () => {
  const token = { sub: 'eva', sid: 's1', name: 'Eva', email: 'eva@x.test', picture: null }
  const { attempt, callbacks } = open({ 'user-agent': FIREFOX })
  const created = await callbacks?.jwt?.({ token, user: eva, account: null, trigger: 'signIn' })
  const session = { userId: 'eva', method: 'password', device: 'Firefox, Windows', address: '192.0.2.7' }
  expect([created, begin.mock.lastCall]).toEqual([{ sub: 'eva', sid: 's1' }, [session]])
  const renew = () => callbacks?.jwt?.({ token, user: eva, account: null })
  find.mockResolvedValueOnce(makeViewer(eva))
  expect(await renew()).toEqual({ sub: 'eva', sid: 's1' })
  find.mockResolvedValueOnce(null)
  await expect(renew()).rejects.toThrow(UnauthenticatedError)
  expect(attempt.failure).toBeNull()
  const away = new Error('connection lost')
  find.mockRejectedValueOnce(away)
  await expect(renew()).rejects.toThrow(away)
  expect(attempt.failure, 'an outage is answered instead, and no cookie is cleared').toBe(away)
})

test('signing out ends the session on the server, is logged, reaches open streams, and is not reported as done if it failed', async () => {
  const cookie = await encodeSessionCookie({ userId: 'eva', id: 's1' }, env)
  const { attempt, events } = open({ cookie: cookie.slice(0, cookie.indexOf(';')) })
  const signOut = () => events?.signOut?.({ token: {}, session: { expires: '' } })
  find.mockResolvedValue(makeViewer(eva))
  await signOut()
  expect(end).toHaveBeenCalledWith(expect.anything(), 'eva', 's1', 'person')
  expect(recordIn).toHaveBeenCalledWith(expect.anything(), { action: 'sign-out', userId: 'eva' })
  expect([announceUser.mock.calls, attempt.failure]).toEqual([[['eva']], null])
  end.mockRejectedValueOnce(new Error('connection lost'))
  await signOut()
  expect(attempt.failure).toEqual(new Error('connection lost'))
})

test.each([
  ['https://intag.test/questions?q=1', 'https://intag.test/questions?q=1'],
  ['/questions', 'https://intag.test/questions'],
  ['https://intag.test.evil.test/', 'https://intag.test/'],
])('after signing in, %s leads to %s', async (url, target) => {
  expect(await open().callbacks?.redirect?.({ url, baseUrl: 'https://intag.test' })).toBe(target)
})
