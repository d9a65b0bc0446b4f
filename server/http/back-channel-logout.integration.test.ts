import { ORIGIN, signOnWorld } from '@/server/access/testing/sign-on-world'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { NextRequest } from 'next/server'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sessions as sessionsTable } from '@/server/base/access-schema'
import { activity } from '@/server/base/schema'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const eva = { idToken: {}, userinfo: { email: 'eva@skola.example', email_verified: true, name: 'Eva Ek' } }

/** Where the provider itself sends its logout tokens, as through a proxy. */
const inbox = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  response.writeHead((await post(Buffer.concat(chunks).toString())).status).end()
})
const { db, provider, sessionRows, open } = signOnWorld(
  () => ({ eva }),
  async () => {
    await once(inbox.listen(0, '127.0.0.1'), 'listening')
    return { backChannelUri: `http://127.0.0.1:${(inbox.address() as AddressInfo).port}/` }
  },
)
let intag: ReturnType<typeof open>
afterAll(() => void inbox.close())
beforeEach(() => {
  intag = open()
})

const post = (body: string, headers: Record<string, string> = {}) => {
  const init = { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } }
  return intag.answer(new NextRequest(`${ORIGIN}/api/auth/backchannel-logout`, init))
}
const nowSeconds = () => Math.floor(Date.now() / 1000)
const claims = (other: Record<string, unknown> = {}) => ({
  iss: provider().issuer,
  aud: 'intag',
  iat: nowSeconds(),
  exp: nowSeconds() + 120,
  jti: randomUUID(),
  sub: 'eva',
  events: { [EVENT]: {} },
  ...other,
})
const say = (token: string) => post(new URLSearchParams({ logout_token: token }).toString())
const ended = async () => (await sessionRows()).map(({ endedBy }) => endedBy)
/** Eva, signed in by the provider in one browser or more, each with a session of its own there. */
async function signedIn(browsers = 1) {
  const id = await intag.addUser('eva@skola.example')
  for (let count = 0; count < browsers; count += 1) await intag.signIn('eva', { within: intag.openBrowser() })
  return id
}

describe('the provider reports a sign-out', () => {
  test('of a user: all sessions by the provider end, which is announced and logged', async () => {
    const id = await signedIn(2)
    await intag.sessions.begin({ userId: id, method: 'password', device: '?', address: '?' })
    const answer = await say(provider().signed(claims()))
    expect([answer.status, await answer.text(), answer.headers.get('cache-control')]).toEqual([200, '', 'no-store'])
    expect((await ended()).toSorted()).toEqual([null, 'provider', 'provider'])
    expect(intag.announced).toEqual([id])
    const [entry] = (await db().select().from(activity)).slice(-1)
    expect(entry).toMatchObject({ action: 'sessions-ended', userId: id, details: { user: id, count: 2, with: 'oidc' } })
  })

  test('of one of its sessions: that one alone, with or without the person', async () => {
    await signedIn(3)
    const sids = (await sessionRows()).map(({ providerSid }) => providerSid)
    expect(new Set(sids).size).toBe(3)
    expect((await say(provider().signed(claims({ sid: sids[0] })))).status).toBe(200)
    expect((await ended()).filter((by) => by === 'provider')).toHaveLength(1)
    expect((await say(provider().signed(claims({ sid: sids[1], sub: undefined })))).status).toBe(200)
    expect((await ended()).filter((by) => by === 'provider')).toHaveLength(2)
    await db().update(sessionsTable).set({ providerSid: null })
    expect((await say(provider().signed(claims({ sid: 'new' })))).status).toBe(200)
    expect(await ended(), 'one that was never named').toEqual(['provider', 'provider', 'provider'])
  })

  test('by a clock that is behind: the session that it names ends, of a person only what had begun', async () => {
    await signedIn()
    const [row] = await sessionRows()
    const late = { iat: nowSeconds() - 90 }
    await db().update(sessionsTable).set({ providerSid: null })
    expect((await say(provider().signed(claims(late)))).status).toBe(200)
    expect(await ended()).toEqual([null])
    await db().update(sessionsTable).set({ providerSid: row?.providerSid })
    expect((await say(provider().signed(claims({ ...late, sid: 'another' })))).status).toBe(200)
    expect(await ended()).toEqual([null])
    expect((await say(provider().signed(claims({ ...late, sid: row?.providerSid })))).status).toBe(200)
    expect(await ended()).toEqual(['provider'])
  })

  test('after a sign-out there', async () => {
    await signedIn(0)
    await intag.signIn('eva')
    const [row] = await sessionRows()
    expect(row?.providerSid).toMatch(/./)
    const page = await intag.browser.visit(`${provider().issuer}/session/end?client_id=intag`)
    expect(page.url).toContain('/session/end')
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page.text) ?? []
    const body = new URLSearchParams({ xsrf, logout: 'yes' })
    await intag.browser.visit(`${provider().issuer}/session/end/confirm`, { method: 'POST', body })
    await expect.poll(ended).toEqual(['provider'])
  })

  test('of an unknown user: nothing ends, and it is accepted', async () => {
    await signedIn()
    expect((await say(provider().signed(claims({ sub: 'ulf' })))).status).toBe(200)
    expect(await ended()).toEqual([null])
  })
})

describe('no word of the provider’s', () => {
  const another = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const id = { events: undefined, nonce: 'n' }
  test.each<[string, () => string]>([
    ['nothing', () => ''],
    ['noise', () => 'a.b.c'],
    ['another key', () => provider().signed(claims(), { by: another })],
    ['an unknown key', () => provider().signed(claims(), { by: another, header: { kid: 'key-2' } })],
    [
      'no signature',
      () =>
        provider()
          .signed(claims(), { header: { alg: 'none' } })
          .replace(/[^.]*$/, ''),
    ],
    ['a shared secret', () => provider().signed(claims(), { header: { alg: 'HS256' } })],
    ['an id token', () => provider().signed(claims(id), { header: { typ: 'JWT' } })],
    ['a nonce', () => provider().signed(claims({ nonce: 'n' }))],
    ['no event', () => provider().signed(claims({ events: {} }))],
    ['another event', () => provider().signed(claims({ events: { other: {} } }))],
    ['an event that says more than it may', () => provider().signed(claims({ events: { [EVENT]: 'yes' } }))],
    ['another issuer', () => provider().signed(claims({ iss: 'https://evil.test' }))],
    ['another client', () => provider().signed(claims({ aud: ['other'] }))],
    ['too old', () => provider().signed(claims({ iat: nowSeconds() - 400, exp: undefined }))],
    ['over', () => provider().signed(claims({ exp: nowSeconds() - 100 }))],
    ['from the future', () => provider().signed(claims({ iat: nowSeconds() + 400 }))],
    ['without a time', () => provider().signed(claims({ iat: undefined }))],
    ['about nobody', () => provider().signed(claims({ sub: undefined }))],
  ])('%s', async (_, token) => {
    await signedIn()
    const answer = await say(token())
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([400, 'no-store'])
    expect(await answer.json()).toEqual({ error: 'invalid_request' })
    expect([await ended(), intag.announced]).toEqual([[null], []])
  })

  test('a page of another site', async () => {
    await signedIn()
    const body = `logout_token=${provider().signed(claims())}`
    expect((await post(body, { origin: 'https://evil.test' })).status).toBe(403)
    expect((await post(body, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect(await ended()).toEqual([null])
  })
})

test('a logout that failed because the database failed may be sent again', async () => {
  await signedIn()
  const token = provider().signed(claims())
  const failure = vi.spyOn(intag.activity, 'recordIn').mockRejectedValueOnce(new Error('gone'))
  expect((await say(token)).status).toBe(500)
  expect(await ended()).toEqual([null])
  failure.mockRestore()
  expect((await say(token)).status).toBe(200)
  expect(await ended()).toEqual(['provider'])
})

test('without the provider’s keys it is asked to come again', async () => {
  await signedIn(0)
  provider().lies.status = { '/jwks': 503 }
  const answer = await say(provider().signed(claims()))
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60'])
})
