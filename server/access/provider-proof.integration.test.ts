import { MINUTE_MS } from '@/lib/time/durations'
import { ORIGIN, signOnWorld } from './testing/sign-on-world'
import { expect, test } from 'vitest'
import { sessions as sessionsTable } from '@/server/base/access-schema'
import { ReauthenticationError } from '@/server/base/errors'
import { requireRecentProof } from './step-up'

const account = (email: string) => ({ idToken: {}, userinfo: { email, email_verified: true, name: 'N N' } })
const { db, provider, sessionRows, open } = signOnWorld(() => ({ eva: account('eva@skola.example') }))

/** Eva is in; ten minutes and more have passed since the provider asked her. */
async function signedIn() {
  const intag = open()
  const id = await intag.addUser('eva@skola.example')
  await intag.addUser('ulf@skola.example')
  await intag.signIn('eva')
  const [row] = await sessionRows()
  await db()
    .update(sessionsTable)
    .set({ provedAt: new Date(Date.now() - 11 * MINUTE_MS) })
  const session = { id: row?.id ?? '', userId: id, issuedAtMs: 0 }
  const begin = async (query = '?prompt=proof') =>
    (await intag.browser.post(`signin/oidc${query}`, { callbackUrl: '/proof' })).url ?? ''
  const prove = async (query?: string) => {
    const page = await intag.browser.visit(await begin(query))
    return page.url.includes('/interaction/') ? intag.browser.visit(`${page.url}/as/eva`) : page
  }
  const requireProof = () => requireRecentProof({ ...intag, now: Date.now }, session)
  return { intag, id, session, begin, prove, requireProof }
}

test('a sensitive change sends the user to the provider, which must authenticate them; the session goes on, proved', async () => {
  const { intag, id, session, begin, prove, requireProof } = await signedIn()
  await expect(requireProof()).rejects.toThrow(ReauthenticationError)
  const { searchParams } = new URL(await begin())
  expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0'])
  expect((await prove()).url).toBe(`${ORIGIN}/proof`)
  await requireProof()
  expect(await sessionRows(), 'no session has begun').toMatchObject([{ id: session.id }])
  expect([(await intag.entries()).at(-1), intag.announced.at(-1)]).toEqual([['proof-given', id, null], id])
})

test('another person, however well known there, proves nothing and gets nothing', async () => {
  const { intag, id, prove, requireProof } = await signedIn()
  provider().lies.idToken = (claims) => ({ ...claims, sub: 'ulf' })
  provider().lies.userinfo = (claims) => ({ ...claims, sub: 'ulf', email: 'ulf@skola.example' })
  expect((await prove()).url).toBe(`${ORIGIN}/proof?error=SignOn-other-account`)
  await expect(requireProof()).rejects.toThrow(ReauthenticationError)
  expect(await sessionRows()).toMatchObject([{ userId: id, endedAt: null }])
  expect((await intag.entries()).at(-1)).toEqual(['sign-in-failed', expect.any(String), 'other-account'])
})

test.each([
  ['leaves out when it asked', undefined],
  ['has not asked', Date.now() / 1000 - 3600],
  ['says it in words', 'now'],
])('a provider that %s proves nothing', async (_, auth_time) => {
  const { intag, prove, requireProof } = await signedIn()
  provider().lies.idToken = (claims) => ({ ...claims, auth_time })
  expect((await prove()).url).toBe(`${ORIGIN}/proof?error=SignOn-setup`)
  expect(intag.log.at(-1)).toMatchObject({ detail: expect.stringContaining('auth_time') })
  await expect(requireProof()).rejects.toThrow(ReauthenticationError)
})

test('signing in silently again proves nothing, and does not end on the page of a proof', async () => {
  const { prove, requireProof } = await signedIn()
  expect((await prove('')).url).toBe(`${ORIGIN}/`)
  const rows = await sessionRows()
  expect(rows.map(({ provedAt }) => Date.now() - provedAt.getTime() > 10 * MINUTE_MS)).toEqual([true, true])
  await expect(requireProof()).rejects.toThrow(ReauthenticationError)
})

test('a proof after the session has ended signs nobody in', async () => {
  const { begin, intag, session, id } = await signedIn()
  const page = await intag.browser.visit(await begin())
  await db().transaction((tx) => intag.sessions.end(tx, id, session.id, 'admin'))
  const { url } = await intag.browser.visit(`${page.url}/as/eva`)
  expect(url).toBe(`${ORIGIN}/proof?error=SignOn-refused`)
  expect((await sessionRows()).every(({ endedAt }) => endedAt !== null)).toBe(true)
})
