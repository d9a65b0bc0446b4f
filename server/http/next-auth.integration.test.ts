import { ORIGIN, signOnWorld } from '@/server/access/testing/sign-on-world'
import { decode } from 'next-auth/jwt'
import { expect, test, vi } from 'vitest'
import { hashPassword } from '@/server/access/passwords'
import { NotReadyError, TooManyTriesError } from '@/server/base/errors'

const { db, sessionRows, open } = signOnWorld(() => ({}))
const email = 'eva@x.test'
const password = 'correct horse'
const awayError = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })

async function signedIn(callbackUrl = '/questions') {
  const intag = open()
  const id = await intag.addUser(email, { passwordHash: await hashPassword(password) })
  const { url } = await intag.browser.post('callback/credentials', { email, password, callbackUrl })
  const readCookie = () => intag.browser.cookies().get('next-auth.session-token')
  const readSession = () => intag.browser.ask(`${ORIGIN}/api/auth/session`)
  return { ...intag, id, url, readCookie, readSession }
}

test('the cookie names the user and the session, nothing else, and only while that session holds', async () => {
  const { id, viewers, sessions, env, readCookie, readSession } = await signedIn()
  const [row] = await sessionRows()
  const token = await decode({ token: readCookie() ?? '', secret: env.auth.secret })
  const times = { iat: expect.any(Number), exp: expect.any(Number), jti: expect.any(String) }
  expect(token).toEqual({ sub: id, sid: row?.id, ...times })
  expect(await (await readSession()).json()).toEqual({ expires: expect.any(String) })
  const outage = vi.spyOn(viewers, 'find').mockRejectedValueOnce(new Error('connection lost'))
  expect([(await readSession()).status, readCookie() !== undefined], 'an outage signs nobody out').toEqual([500, true])
  outage.mockRestore()
  await sessions.endAll(db(), id, 'admin')
  expect([await (await readSession()).json(), readCookie()]).toEqual([{}, undefined])
})

test('signing out ends the session on the server, is logged, reaches open streams, and fails aloud', async () => {
  const { id, browser, sessions, announced, entries } = await signedIn()
  vi.spyOn(sessions, 'end').mockRejectedValueOnce(new Error('connection lost'))
  expect(await browser.post('signout')).toEqual({ error: 'Internal Server Error' })
  expect([await sessionRows(), announced]).toMatchObject([[{ endedBy: null }], []])
  expect(await browser.post('signout')).toEqual({ url: `${ORIGIN}/questions` })
  expect([await sessionRows(), announced]).toMatchObject([[{ endedBy: 'person' }], [id]])
  expect((await entries()).at(-1)).toEqual(['sign-out', id, null])
})

test.each([
  [`${ORIGIN}/questions?q=1`, `${ORIGIN}/questions?q=1`],
  [`${ORIGIN}.evil.test/`, `${ORIGIN}/`],
])('after signing in, %s leads to %s', async (callbackUrl, target) => {
  expect((await signedIn(callbackUrl)).url).toBe(target)
})

test.each([
  ['signin?callbackUrl=https%3A%2F%2Fevil.test', `${ORIGIN}/signin?callbackUrl=http%3A%2F%2Fintag.test%2F`],
  ['signout', `${ORIGIN}/signin`],
  ['error?error=AccessDenied', `${ORIGIN}/signin?error=AccessDenied`],
])('instead of next-auth’s page %s there is ours', async (path, url) => {
  expect((await open().browser.visit(`${ORIGIN}/api/auth/${path}`)).url).toBe(url)
})

test('a wrong password is answered by its code, and every sign-in is counted', async () => {
  const { browser, outcomes } = await signedIn()
  const { url } = await browser.post('callback/credentials', { email, password: 'wrong' })
  expect(url).toBe(`${ORIGIN}/api/auth/error?error=CredentialsSignin&provider=credentials`)
  expect(outcomes).toEqual(['password accepted', 'password refused'])
})

test.each<[string, Error, string, number, object]>([
  ['too many tries', new TooManyTriesError(30), 'too-many-attempts', 429, { error: 'Too many tries' }],
  ['too many at once', new NotReadyError('Too many requests', 2), 'busy', 503, { error: 'Too many requests' }],
  ['an outage', awayError, 'failed', 503, { error: 'The database cannot be reached' }],
  ['a fault', new Error('eva@x.test'), 'failed', 401, { url: `${ORIGIN}/api/auth/error?error=Unavailable` }],
])(
  '%s is no wrong password, and nothing is said of what went wrong inside',
  async (_, error, outcome, status, json) => {
    const { browser, throttle, outcomes } = await signedIn()
    outcomes.length = 0
    vi.spyOn(throttle, 'countTry').mockRejectedValueOnce(error)
    const { csrfToken } = JSON.parse((await browser.visit(`${ORIGIN}/api/auth/csrf`)).text)
    const body = new URLSearchParams({ csrfToken, json: 'true', email, password })
    const answer = await browser.ask(`${ORIGIN}/api/auth/callback/credentials`, { method: 'POST', body })
    expect([answer.status, await answer.json(), outcomes]).toEqual([status, json, [`password ${outcome}`]])
  },
)
