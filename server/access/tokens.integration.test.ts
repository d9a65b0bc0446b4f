import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { figuresQuerySchema, type Figures, type NewToken } from '@/lib/contract/tokens'
import { isFullRun } from '@/lib/testing/every-case'
import { declaration, question } from '@/lib/leads/testing/leads'
import { withCallerAddress } from '@/server/activity/request-context'
import { accessTokens } from '@/server/db/access-schema'
import { activity, signInAttempts } from '@/server/db/schema'
import {
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  TooManyTriesError,
  UnauthenticatedError,
} from '@/server/errors'
import { serveFigures } from '@/server/interest/figures'
import { interestPage } from '@/server/interest/interest'
import { openRightsDesk } from '@/server/rights/testing/rights-desk'
import { createThrottle } from './throttle'
import { createToken, listTokens, viewerByToken, withdrawToken } from './tokens'
import { allow } from './viewer'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const NOON = Date.parse('2026-11-20T11:00:00Z')

const desk = await openRightsDesk()
const hashKey = randomBytes(32)
/** One instance of Intag. */
const instance = () => ({ ...desk.parts, throttle: createThrottle({ ...desk.parts, hashKey }) })
const boss = await desk.person('boss', 'admin', 'all')
const admin = allow(boss, 'admin')
const manager = await desk.person('manager', 'manager', ['sodra'])
const several = (school: string, count: number) =>
  Array.from({ length: count }, (_, at) =>
    declaration(`${school}${at}`, { school, firstName: 'Elsa', email: `e${at}@elev.example` }),
  )
desk.setDeclarations([...several('norra', 33), ...several('sodra', 3), ...several('=1+1,"x"', 7)])
desk.setQuestions([question('q1', { text: 'Får man ha häst?' })])
afterAll(() => desk.close())

let parts = instance()
beforeEach(async () => {
  desk.time.ms = NOON
  parts = instance()
  for (const table of [accessTokens, signInAttempts, activity]) await desk.db.delete(table)
})

const make = (change: Partial<NewToken> = {}) =>
  createToken(parts, admin, { name: 'Power BI', schools: 'all', ...change })
const requestOf = (headers: Record<string, string>) => new Request('https://intag.test/api/figures', { headers })
type Asked = { query?: object; accept?: string; address?: string; scheme?: string; of?: typeof parts }
const ask = (
  token: string | null,
  { query = {}, accept = '*/*', address = '192.0.2.1', scheme = 'Bearer', of = parts }: Asked = {},
) => {
  const request = requestOf({ accept, ...(token !== null && { authorization: `${scheme} ${token}` }) })
  return withCallerAddress(address, () => serveFigures(of, null, figuresQuerySchema.parse(query), { request }))
}
const figures = async (...asked: Parameters<typeof ask>) => (await ask(...asked)) as Figures
const csv = async (...asked: Parameters<typeof ask>) => {
  const answer = (await ask(...asked)) as Response
  return { type: answer.headers.get('content-type'), bytes: Buffer.from(await answer.arrayBuffer()) }
}
const logged = async () => (await desk.db.select().from(activity).orderBy(activity.id)).map(({ action }) => action)

test('a token gives a manager’s numbers of its schools, as the page has them, and nothing else', async () => {
  const { token } = await make({ schools: ['sodra'] })
  const page = await interestPage(parts, allow(manager, 'interest:read'), {})
  const got = await figures(token)
  expect(got.schools.map(({ highSchoolId, declarations }) => [highSchoolId, declarations])).toEqual([['sodra', '<5']])
  expect(got).toMatchObject({ roundedTo: 5, asOf: page.asOf, enrollmentYear: page.cohort, weeks: page.weeks })
  expect(got.all).toMatchObject({ declarations: page.board.all.now, questionsWaiting: page.board.all.waiting })
  const { token: other } = await make()
  expect((await figures(other)).schools.map(({ declarations }) => declarations)).toEqual([5, 35, '<5'])
  expect(JSON.stringify([got, await figures(other)])).not.toMatch(/elsa|elev|häst/i)
  expect((await figures(other, { query: { cohort: 2026 } })).all.declarations).toBe(0)
})

test('the file has a row for each school, in columns that stay, without a mark and without formulas', async () => {
  const { token } = await make()
  const byFormat = await csv(token, { query: { format: 'csv' } })
  expect(byFormat).toEqual(await csv(token, { accept: 'text/csv, */*' }))
  expect(byFormat.type).toBe('text/csv; charset=utf-8')
  expect(byFormat.bytes[0], 'no byte order mark').toBe('a'.codePointAt(0))
  expect(byFormat.bytes.toString().split('\r\n')).toEqual([
    'asOf,enrollmentYear,highSchoolId,highSchool,declarations,declarationsLastYear,declarationsLastYearInAll,changePercent,forecastLow,forecastHigh,firstChoicePercent,questionsWaiting,questionsLate,withinGoalPercent',
    `2026-11-20,2027,"'=1+1,""x""","'=1+1,""x""",5,,,,,,,0,0,`,
    '2026-11-20,2027,norra,norra,35,,,,,,,<5,0,',
    '2026-11-20,2027,sodra,sodra,<5,,,,,,,0,0,',
    '',
  ])
  expect((await figures(token, { accept: 'text/csv', query: { format: 'json' } })).roundedTo).toBe(5)
})

test('is shown once: neither the database, the list nor the log has it', async () => {
  const { id, token } = await make({ until: '2026-12-31' })
  await figures(token)
  const everywhere = JSON.stringify([
    await desk.db.select().from(accessTokens),
    await desk.db.select().from(activity),
    await desk.db.select().from(signInAttempts),
    await listTokens(parts, admin),
  ])
  expect(token).toMatch(/^intag_[\w-]{43}$/)
  expect(everywhere).not.toContain(token)
  expect((await listTokens(parts, admin)).tokens).toEqual([
    {
      id,
      purpose: 'figures',
      name: 'Power BI',
      schools: 'all',
      createdBy: { id: 'boss', name: 'boss' },
      createdAt: new Date(NOON).toISOString(),
      expiresAt: '2026-12-31T22:59:59.999Z',
      lastUsedAt: new Date(NOON).toISOString(),
    },
  ])
  expect(await logged()).toEqual(['token-made', 'token-used'])
})

test('is over at once when it is withdrawn, on every instance, and when its last day ends', async () => {
  const [one, other] = [instance(), instance()]
  const { id, token } = await make()
  await figures(token, { of: one })
  await figures(token, { of: other })
  await withdrawToken(parts, admin, { id })
  for (const of of [one, other]) await expect(ask(token, { of })).rejects.toThrow(UnauthenticatedError)
  await expect(withdrawToken(parts, admin, { id })).rejects.toThrow(NotFoundError)
  expect(await logged()).toEqual(['token-made', 'token-used', 'token-withdrawn'])
  const { token: last } = await make({ until: '2026-11-20' })
  desk.time.ms = Date.parse('2026-11-20T22:59:00Z')
  await figures(last)
  desk.time.ms = Date.parse('2026-11-20T23:00:00Z')
  await expect(ask(last)).rejects.toThrow(UnauthenticatedError)
  await expect(make({ until: '2026-11-20' })).rejects.toThrow(InvalidInputError)
})

test('opens nothing of another purpose, in another shape or for who is no administrator', async () => {
  const { id, token } = await make()
  for (const wrong of [`${token}x`, token.slice(0, -1), token.toUpperCase(), ` ${token} x`, 'x'.repeat(5_000), id])
    await expect(ask(wrong)).rejects.toThrow(UnauthenticatedError)
  await expect(ask(token, { scheme: 'Basic' })).rejects.toThrow(UnauthenticatedError)
  await expect(ask(null)).rejects.toThrow(UnauthenticatedError)
  const { token: directory } = await make({ purpose: 'directory' })
  await expect(ask(directory)).rejects.toThrow(UnauthenticatedError)
  const asAdmin = manager as unknown as typeof admin
  await expect(createToken(parts, asAdmin, { name: 'x', schools: 'all' })).rejects.toThrow(ForbiddenError)
  await expect(withdrawToken(parts, asAdmin, { id })).rejects.toThrow(ForbiddenError)
})

const GUESSES = isFullRun ? 10_000 : 500

test('guesses from one address let nobody in, are refused after 60, and keep no right token out', async () => {
  const { token } = await make()
  const found = { wrong: 0, refused: 0 }
  for (let guess = 0; guess < GUESSES; guess += 1) {
    const error: unknown = await ask(`intag_${randomBytes(32).toString('base64url')}`).catch((it: unknown) => it)
    if (error instanceof UnauthenticatedError) found.wrong += 1
    else if (error instanceof TooManyTriesError) found.refused += 1
    else throw new Error('a guess was let in')
  }
  expect(found).toEqual({ wrong: 60, refused: GUESSES - 60 })
  expect((await figures(token)).roundedTo).toBe(5)
  await expect(ask('intag_x', { address: '192.0.2.9' }), 'another address').rejects.toThrow(UnauthenticatedError)
  expect(await logged()).toEqual(['token-made', 'token-used'])
}, 120_000)

test('is answered 60 times an hour, then once a minute, over all instances; the next hour begins anew', async () => {
  const [{ token }, { token: other }] = [await make(), await make()]
  const both = [instance(), instance()]
  const open = (key: string, at = 0) =>
    viewerByToken(both[at % 2] ?? parts, 'figures', requestOf({ authorization: `Bearer ${key}` }))
  const opened = async (times: number) => {
    const tries = Array.from({ length: times }, (_, at) => at)
    const failures: unknown[] = []
    for (const at of tries) await open(token, at).catch((error: unknown) => failures.push(error))
    expect(failures.every((error) => error instanceof TooManyTriesError)).toBe(true)
    return times - failures.length
  }
  expect(await opened(70)).toBe(61)
  expect((await open(other)).role, 'another is not held up').toBe('manager')
  desk.time.ms += MINUTE_MS
  expect(await opened(5)).toBe(1)
  desk.time.ms = NOON + HOUR_MS
  expect(await opened(30)).toBe(30)
  // A program that asks twice each half hour is never held up, however long it does so.
  for (let halfHour = 0; halfHour < 35; halfHour += 1) {
    desk.time.ms += HOUR_MS / 2
    await open(other)
    await open(other)
  }
})

test('its last use is written once a minute, and the first of a day logged once, whichever instance is asked', async () => {
  const { token } = await make()
  const both = [instance(), instance()]
  const used = async () => (await listTokens(parts, admin)).tokens[0]?.lastUsedAt
  await Promise.all([0, 1, 0, 1].map((at) => ask(token, { of: both[at] ?? parts })))
  desk.time.ms += MINUTE_MS - 1
  await figures(token)
  expect(await used()).toBe(new Date(NOON).toISOString())
  desk.time.ms += 1
  await figures(token)
  expect(await used()).toBe(new Date(NOON + MINUTE_MS).toISOString())
  desk.time.ms = Date.parse('2026-11-20T23:00:00Z')
  await Promise.all([0, 1, 0, 1].map((at) => ask(token, { of: both[at] ?? parts })))
  expect(await logged()).toEqual(['token-made', 'token-used', 'token-used'])
})
