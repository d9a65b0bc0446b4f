import type { CredentialsConfig } from 'next-auth/providers/credentials'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Activity } from '@/server/activity/activity'
import type { OpenDatabase } from '@/server/db/database'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { NotReadyError } from '@/server/errors'
import { createIdentities } from './identities'
import { authOptions, SessionEndedError, type Visit, withoutEndedSession } from './next-auth'
import type { Viewers } from './session'
import { renewedSessionCookie } from './session-cookie'
import type { NewSession, Sessions } from './sessions'
import { challengeCookie } from './passkey-challenge'
import type { SignIn } from './sign-in'
import { UNKNOWN_PERSON } from './single-sign-on'
import { makeViewer } from './viewer'
import { createSeal } from '@/server/seal'
import { createInvitations } from '@/server/users/invitations'
import { createUsers, type StoredUser } from '@/server/users/users'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0'
const eva: StoredUser = {
  id: 'eva',
  email: 'eva@x.test',
  name: 'Eva',
  role: 'staff',
  schools: 'all',
  passwordHash: null,
  disabled: false,
  demo: false,
  managed: false,
  breakGlass: false,
  activatedAt: null,
  createdAt: new Date(0),
}
const withPassword = vi.fn<SignIn['withPassword']>()
const withPasskey = vi.fn<SignIn['withPasskey']>()
const begin = vi.fn<(session: NewSession) => Promise<string>>(async () => 's1')
const find = vi.fn<Viewers['find']>()
const end = vi.fn<Sessions['end']>(async () => true)
const person = vi.fn<(userId: string) => Promise<void>>(async () => {})
const recordIn = vi.fn<Activity['recordIn']>(async () => {})
const connect = async () => database.db
let database: OpenDatabase
beforeAll(async () => {
  database = await openPgliteInMemory()
})
afterAll(() => database.close())

const secret = 's'.repeat(32)
const NOW = Date.UTC(2027, 0, 20, 8)
const seal = createSeal(new Uint8Array(32))
const from = (headers: Record<string, string> = {}) => new Request('https://intag.test/api/auth/x', { headers })
const visitWith = (request: Request): Visit => ({
  request,
  address: '192.0.2.7',
  device: 'a-device',
  attempt: null,
  signedIn: null,
  failure: null,
})
const visit = visitWith(from())
const optionsFor = (url: string, of = visit) =>
  authOptions(
    {
      env: { auth: { url, secret }, oidc: null },
      signIn: { withPassword, withPasskey },
      sessions: { begin, proved: async () => {}, end, endAll: async () => 0, find: async () => null },
      users: createUsers({ connect, now: Date.now, demo: false }),
      identities: createIdentities({ connect, now: Date.now }),
      invitations: createInvitations({ connect, now: Date.now }),
      providerCheck: null,
      viewers: { find },
      announcer: { person },
      activity: { recordIn },
      connect,
      logger: pino({ enabled: false }),
      seal,
      now: () => NOW,
    },
    of,
  )
const options = optionsFor('https://intag.test')

const authorize = async (credentials: Record<string, string>, way = 'credentials', by = options) => {
  // next-auth gives a provider the id that its own options have.
  const provider = by.providers.find((each) => 'options' in each && each.options?.id === way)
  if (provider?.type !== 'credentials') throw new Error('no credentials provider')
  // next-auth merges `options` over the provider's own, empty answer.
  const { options: own } = provider as CredentialsConfig & { options: CredentialsConfig }
  return own.authorize(credentials, { headers: { 'x-forwarded-for': '1.1.1.1' } })
}

test('the token names the person and the session that begins, and holds nothing else', async () => {
  const token = { sub: 'eva', name: 'Eva', email: 'eva@x.test', picture: null }
  const own = visitWith(from({ 'user-agent': FIREFOX }))
  const { callbacks } = optionsFor('https://intag.test', own)
  const made = await callbacks?.jwt?.({ token, user: eva, account: null, trigger: 'signIn' })
  expect(made).toEqual({ sub: 'eva', sid: 's1' })
  const session = { userId: 'eva', method: 'password', device: 'Firefox, Windows', address: '192.0.2.7' }
  expect(begin).toHaveBeenCalledWith(session)
  expect(own.signedIn).toBe('eva')
})

test('a token is carried on only while its session holds', async () => {
  const token = { sub: 'eva', sid: 's1', email: 'eva@x.test' }
  find.mockResolvedValueOnce(makeViewer(eva))
  expect(await options.callbacks?.jwt?.({ token, user: eva, account: null })).toEqual({ sub: 'eva', sid: 's1' })
  find.mockResolvedValueOnce(null)
  await expect(options.callbacks?.jwt?.({ token, user: eva, account: null })).rejects.toThrow(SessionEndedError)
})

describe('signing out', () => {
  const signOut = async () => {
    const cookie = await renewedSessionCookie(
      { userId: 'eva', id: 's1' },
      { auth: { url: 'https://intag.test', secret } },
    )
    const request = from({ cookie: cookie.slice(0, cookie.indexOf(';')) })
    const own = visitWith(request)
    await optionsFor('https://intag.test', own).events?.signOut?.({ token: {}, session: { expires: '' } })
    return own.failure
  }

  test('ends the session on the server, is logged, and reaches open streams', async () => {
    find.mockResolvedValueOnce(makeViewer(eva))
    await signOut()
    expect(end).toHaveBeenCalledWith(expect.anything(), 'eva', 's1', 'person')
    expect(recordIn).toHaveBeenCalledWith(expect.anything(), { action: 'sign-out', userId: 'eva' })
    expect(person).toHaveBeenCalledWith('eva')
  })

  test('that could not be done is not said to be done', async () => {
    find.mockResolvedValueOnce(makeViewer(eva))
    end.mockRejectedValueOnce(new Error('connection lost'))
    expect(await signOut()).toEqual(new Error('connection lost'))
  })
})

test('the person who signs in is handed on with the address and device of the visit, whatever the headers say', async () => {
  withPassword.mockResolvedValue({ ok: true, user: eva })
  expect(await authorize({ email: 'eva@x.test', password: 'p' })).toEqual({ id: 'eva' })
  const where = { address: '192.0.2.7', device: 'a-device' }
  expect(withPassword).toHaveBeenCalledWith({ email: 'eva@x.test', password: 'p', ...where })
})

test('too many at once is no refusal: who was not even heard is told to come back', async () => {
  withPassword.mockRejectedValue(new NotReadyError('Too many requests at once', 2))
  await expect(authorize({ email: 'eva@x.test', password: 'p' })).rejects.toThrow(/^Unavailable$/)
  expect(visit.failure).toMatchObject({ retryAfterSeconds: 2 })
})

test('while the database is away nobody is told that their password is wrong', async () => {
  const away = new Error('Failed query', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) })
  withPassword.mockRejectedValue(away)
  await expect(authorize({ email: 'eva@x.test', password: 'p' })).rejects.toThrow(/^Unavailable$/)
  expect(visit.failure).toBe(away)
})

test('refusals say when to come back, and nothing of what went wrong inside', async () => {
  withPassword.mockResolvedValue({ ok: false, reason: 'refused' })
  expect(await authorize({ email: 'eva@x.test', password: 'p' })).toBeNull()
  expect(await authorize({ email: 'eva@x.test' })).toBeNull()
  withPassword.mockResolvedValue({ ok: false, reason: 'too-many-attempts', retryAfterSeconds: 30 })
  await expect(authorize({ email: 'eva@x.test', password: 'p' })).rejects.toThrow(/^TooManyAttempts:30$/)
  withPassword.mockRejectedValue(new Error('params: eva@x.test'))
  await expect(authorize({ email: 'eva@x.test', password: 'p' })).rejects.toThrow(/^Unavailable$/)
})

describe('with more than a password', () => {
  const signed = {
    id: 'k',
    rawId: 'k',
    type: 'public-key',
    response: { clientDataJSON: 'c', authenticatorData: 'a', signature: 's' },
    clientExtensionResults: {},
  } as const
  const asked = (purpose: 'assertion' | 'registration') => {
    const env = { auth: { url: 'https://intag.test', secret } }
    const cookie = challengeCookie({ env, seal, now: () => NOW - 60_000 }, purpose, 'challenge')
    return optionsFor('https://intag.test', visitWith(from({ cookie: cookie.slice(0, cookie.indexOf(';')) })))
  }
  const given = { response: signed, challenge: { value: 'challenge', madeAt: NOW - 60_000 } }

  test('that it is needed is told only of the right password, and the code is handed on', async () => {
    withPassword.mockResolvedValue({ ok: false, reason: 'second-factor-needed' })
    await expect(authorize({ email: 'eva@x.test', password: 'p' })).rejects.toThrow(/^SecondFactorNeeded$/)
    withPassword.mockResolvedValue({ ok: true, user: eva })
    await authorize({ email: 'eva@x.test', password: 'p', code: '123456' })
    expect(withPassword).toHaveBeenLastCalledWith(expect.objectContaining({ code: '123456' }))
  })

  test('a passkey signs the challenge that this browser was given, and no other', async () => {
    withPasskey.mockResolvedValue({ ok: true, user: eva })
    const assertion = JSON.stringify(signed)
    expect(await authorize({ assertion }, 'passkey', asked('assertion'))).toEqual({ id: 'eva' })
    expect(withPasskey).toHaveBeenCalledExactlyOnceWith(given, '192.0.2.7')
    expect(await authorize({ assertion }, 'passkey', asked('registration'))).toBeNull()
    expect(await authorize({ assertion }, 'passkey')).toBeNull()
    expect(await authorize({ assertion: '{"id":1}' }, 'passkey', asked('assertion'))).toBeNull()
    expect(await authorize({ assertion: 'noise' }, 'passkey', asked('assertion'))).toBeNull()
    expect(withPasskey).toHaveBeenCalledTimes(1)
  })

  test('the session says how somebody came', async () => {
    const user = { id: 'eva' }
    for (const [provider, method] of [
      ['credentials', 'password'],
      ['passkey', 'passkey'],
      ['oidc', 'oidc'],
    ]) {
      const account = { provider, type: 'credentials', providerAccountId: 'eva' } as const
      await options.callbacks?.jwt?.({ token: {}, user: user as never, account: account as never, trigger: 'signIn' })
      expect(begin).toHaveBeenLastCalledWith(expect.objectContaining({ method }))
    }
  })
})

test('a person whom the provider knows, and we do not, is not let in', () => {
  const signIn = (id: string) => options.callbacks?.signIn?.({ user: { ...eva, id }, account: null })
  expect([signIn(UNKNOWN_PERSON), signIn('eva')]).toEqual([false, true])
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
  expect([options, optionsFor('http://localhost:3000')].map((each) => each.useSecureCookies)).toEqual([true, false])
})

test('a session that ends while its cookie is written anew is not set again; to take a cookie back stays possible', async () => {
  const env = { auth: { url: 'https://intag.test', secret } }
  const cookie = await renewedSessionCookie({ userId: 'eva', id: 's1' }, env)
  const asking = from({ cookie: cookie.slice(0, cookie.indexOf(';')) })
  const cookiesWhen = async (viewer: Awaited<ReturnType<Viewers['find']>>, ...cookies: string[]) => {
    find.mockResolvedValue(viewer)
    const answer = new Response('{}', { headers: cookies.map((one): [string, string] => ['set-cookie', one]) })
    await withoutEndedSession({ env, viewers: { find } }, asking, answer)
    return answer.headers.getSetCookie()
  }
  const cleared = `${cookie.slice(0, cookie.indexOf('='))}=; Max-Age=0; Path=/`
  expect(await cookiesWhen(makeViewer(eva), cookie, 'theme=dark')).toEqual([cookie, 'theme=dark'])
  expect(await cookiesWhen(null, cookie, 'theme=dark')).toEqual(['theme=dark'])
  expect(await cookiesWhen(null, cleared)).toEqual([cleared])
})
