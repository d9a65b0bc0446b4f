import type { CredentialsConfig } from 'next-auth/providers/credentials'
import pino from 'pino'
import { expect, test, vi } from 'vitest'
import { authOptions, clientAddress } from './next-auth'
import type { SignInResult } from './sign-in'
import type { StoredUser } from '@/server/users/users'

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
  sessionEpoch: 4,
  activatedAt: null,
  createdAt: new Date(0),
}
const withPassword = vi.fn<(credentials: { email: string; address: string }) => Promise<SignInResult>>()
const withClaims = vi.fn<(claims: Record<string, unknown>) => Promise<SignInResult>>()
const record = vi.fn<(entry: object) => Promise<void>>(async () => {})
const oidc = { issuer: 'https://id.test', clientId: 'intag', clientSecret: 'x', name: 'Skolan' }
const optionsFor = (url: string) =>
  authOptions({
    env: { auth: { url, secret: 's'.repeat(32) }, oidc },
    signIn: { withPassword, withClaims },
    users: { find: async () => eva },
    activity: { record },
    logger: pino({ enabled: false }),
  })
const options = optionsFor('https://intag.test')

const authorize = async (credentials: Record<string, string>) => {
  const provider = options.providers.find((each) => each.type === 'credentials')
  if (provider?.type !== 'credentials') throw new Error('no credentials provider')
  // next-auth merges `options` over the provider's own, empty answer.
  const { options: own } = provider as CredentialsConfig & { options: CredentialsConfig }
  return own.authorize(credentials, { headers: { 'x-forwarded-for': '1.1.1.1, 192.0.2.7' } })
}

test('the token holds the id and the epoch, and nothing about the person', async () => {
  const token = { sub: 'eva', name: 'Eva', email: 'eva@x.test', picture: null }
  const made = await options.callbacks?.jwt?.({ token, user: eva, account: null, trigger: 'signIn' })
  expect(made).toEqual({ sub: 'eva', epoch: 4 })
})

test('the person who signs in is handed on with the nearest address', async () => {
  withPassword.mockResolvedValue({ ok: true, user: eva })
  expect(await authorize({ email: 'eva@x.test', password: 'p' })).toEqual({ id: 'eva' })
  expect(withPassword).toHaveBeenCalledWith({ email: 'eva@x.test', password: 'p', address: '192.0.2.7' })
})

test('signing out is logged, and works also when it cannot be', async () => {
  const leave = async () => options.events?.signOut?.({ token: { sub: 'eva' }, session: {} as never })
  await leave()
  expect(record).toHaveBeenLastCalledWith({ userId: 'eva', action: 'sign-out' })
  record.mockRejectedValueOnce(new Error('away'))
  await leave()
  expect(record).toHaveBeenCalledTimes(2)
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

test('single sign-on refuses whom we do not know', async () => {
  const provider = options.providers.find((each) => each.id === 'oidc')
  if (provider?.type !== 'oauth') throw new Error('no OIDC provider')
  withClaims.mockResolvedValue({ ok: false, reason: 'refused' })
  const stranger = await provider.profile({}, {})
  expect(options.callbacks?.signIn?.({ user: stranger, account: null })).toBe(false)
  withClaims.mockResolvedValue({ ok: true, user: eva })
  expect(options.callbacks?.signIn?.({ user: await provider.profile({}, {}), account: null })).toBe(true)
  expect(provider.checks).toEqual(expect.arrayContaining(['pkce', 'state']))
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

test('the address is the one our own side wrote, not what the client claims', () => {
  expect(clientAddress('10.0.0.1, 203.0.113.9')).toBe('203.0.113.9')
  expect(clientAddress('::1')).toBe('::1')
  expect(clientAddress(null)).toBe('unknown')
})
