import { ORIGIN, signOnWorld } from '@/server/access/testing/sign-on-world'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { NextRequest } from 'next/server'
import { beforeEach, describe, expect, test } from 'vitest'
import { sessions as sessionsTable } from '@/server/base/access-schema'
import { activity } from '@/server/base/schema'

type Claims = Record<string, unknown>
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const eva = { idToken: {}, userinfo: { email: 'eva@skola.example', email_verified: true, name: 'Eva Ek' } }

const { db, provider, sessionRows, open } = signOnWorld(() => ({ eva }))
let intag: ReturnType<typeof open>
beforeEach(() => void (intag = open()))

const post = (body: string) => {
  const init = { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  return intag.answer(new NextRequest(`${ORIGIN}/api/auth/backchannel-logout`, init))
}
const nowSeconds = () => Math.floor(Date.now() / 1000)
const tokenWith = (claims: Claims = {}, signing: Parameters<ReturnType<typeof provider>['signClaims']>[1] = {}) => {
  const times = { iat: nowSeconds(), exp: nowSeconds() + 120 }
  const token = { iss: provider().issuer, aud: 'intag', jti: randomUUID(), sub: 'eva', events: { [EVENT]: {} } }
  return provider().signClaims({ ...token, ...times, ...claims }, signing)
}
const say = (token: string) => post(new URLSearchParams({ logout_token: token }).toString())
const statusOf = async (claims?: Claims) => (await say(tokenWith(claims))).status
const endedBy = async () => (await sessionRows()).map((row) => row.endedBy)
/** Eva, signed in by the provider in one browser or more, each with a session of its own there. */
async function signedIn(browsers = 1) {
  provider().lies.idToken = (claims) => ({ ...claims, sid: randomUUID() })
  const id = await intag.addUser('eva@skola.example')
  for (let count = 0; count < browsers; count += 1) await intag.signIn('eva', { within: intag.openBrowser() })
  return id
}

describe('the provider reports a sign-out', () => {
  test('of a user: all sessions by the provider end, which is announced and logged', async () => {
    const id = await signedIn(2)
    await intag.sessions.begin({ userId: id, method: 'password', device: '?', address: '?' })
    const answer = await say(tokenWith())
    expect([answer.status, await answer.text(), answer.headers.get('cache-control')]).toEqual([200, '', 'no-store'])
    expect((await endedBy()).toSorted()).toEqual([null, 'provider', 'provider'])
    expect(intag.announced).toEqual([id])
    const [entry] = (await db().select().from(activity)).slice(-1)
    expect(entry).toMatchObject({ action: 'sessions-ended', userId: id, details: { user: id, count: 2, with: 'oidc' } })
  })

  test('of one of its sessions: that one alone, with or without the person; of an unknown person: none', async () => {
    await signedIn(3)
    const [first, second] = (await sessionRows()).map(({ providerSid }) => providerSid)
    const countEnded = async () => (await endedBy()).filter((by) => by === 'provider').length
    expect([await statusOf({ sub: 'ulf' }), await countEnded()]).toEqual([200, 0])
    expect([await statusOf({ sid: first }), await countEnded()]).toEqual([200, 1])
    expect([await statusOf({ sid: second, sub: undefined }), await countEnded()]).toEqual([200, 2])
    await db().update(sessionsTable).set({ providerSid: null })
    expect([await statusOf({ sid: 'new' }), await countEnded()], 'one that was never named').toEqual([200, 3])
  })
})

describe('no word of the provider’s is', () => {
  const another = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  test.each<[string, () => string]>([
    ['a token by another key', () => tokenWith({}, { signingKey: another })],
    ['one without a signature', () => tokenWith({}, { header: { alg: 'none' } }).replace(/[^.]*$/, '')],
    ['an id token', () => tokenWith({ events: undefined, nonce: 'n' }, { header: { typ: 'JWT' } })],
    ['one with a nonce', () => tokenWith({ nonce: 'n' })],
    ['one without the event', () => tokenWith({ events: { other: {} } })],
    ['one for another client', () => tokenWith({ aud: ['other'] })],
    ['an old one', () => tokenWith({ iat: nowSeconds() - 400, exp: undefined })],
    ['one about nobody', () => tokenWith({ sub: undefined })],
  ])('%s', async (_, token) => {
    await signedIn()
    const answer = await say(token())
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([400, 'no-store'])
    expect(await answer.json()).toEqual({ error: 'invalid_request' })
    expect([await endedBy(), intag.announced]).toEqual([[null], []])
    expect(intag.log).toContainEqual(expect.objectContaining({ msg: 'a logout token was refused' }))
  })
})
