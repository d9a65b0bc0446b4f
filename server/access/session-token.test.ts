import { encode } from 'next-auth/jwt'
import { expect, test } from 'vitest'
import { readSessionToken, renewedSessionCookie, sessionCookieName } from './session-token'

const secret = 's'.repeat(32)
const overHttp = { auth: { url: 'http://localhost:3000', secret } }
const overHttps = { auth: { url: 'https://intag.test', secret } }

test('a renewed cookie carries the same person and epoch on', async () => {
  const cookie = await renewedSessionCookie({ userId: 'u1', epoch: 3, issuedAtMs: 0 }, overHttp)
  const value = cookie.slice(cookie.indexOf('=') + 1, cookie.indexOf(';'))
  expect(await readSessionToken(value, secret)).toMatchObject({ userId: 'u1', epoch: 3 })
  expect(await readSessionToken(value, 't'.repeat(32))).toBeNull()
})

test('over https the cookie is bound to https', async () => {
  expect(sessionCookieName(overHttp)).toBe('next-auth.session-token')
  expect(await renewedSessionCookie({ userId: 'u1', epoch: 0, issuedAtMs: 0 }, overHttps)).toMatch(
    /^__Secure-next-auth\.session-token=.*; Secure$/,
  )
})

test('an expired token, one without an epoch, and noise are nobody', async () => {
  const expired = await encode({ token: { sub: 'u1', epoch: 0 }, secret, maxAge: -60 })
  const foreign = await encode({ token: { sub: 'u1', name: 'Eva' }, secret })
  expect(await Promise.all([expired, foreign, 'noise', ''].map((token) => readSessionToken(token, secret)))).toEqual([
    null,
    null,
    null,
    null,
  ])
})
