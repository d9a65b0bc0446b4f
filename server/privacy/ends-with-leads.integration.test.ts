import { afterAll, beforeEach, expect, test } from 'vitest'
import { eq, like } from 'drizzle-orm'
import { declaration } from '@/lib/leads/testing/leads'
import { allow } from '@/server/access/viewer'
import { protectedPersons } from '@/server/base/access-schema'
import { activity, savedViews, settings } from '@/server/base/schema'
import { addView, listViews } from '@/server/leads/saved-views'
import { NotFoundError } from '@/server/base/errors'
import { liftProtection, protectPerson } from './protect'
import { openRightsDesk } from './testing/rights-desk'
import { agreeToPurge, listPurgeHolds, measureList } from './purge-holds'
import { testServices } from '@/server/testing/services'
import { runRetention } from './retention'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const list = 'declarations-of-interest'
const elsa = { firstName: 'Elsa', lastName: 'Berg', email: 'elsa@example.se' }
const others = Array.from({ length: 40 }, (_, at) => declaration(`o${at}`))

let isGood: boolean
const desk = await openRightsDesk()
const anna = allow(await desk.person('anna', 'admin', 'all'), 'admin')
const { parts } = desk
const problem = () => (isGood ? null : { kind: 'unavailable' })
const warn = ({ err }: { err?: unknown }) => expect(err).toBeUndefined()
const known = { goneSince: () => ({ count: 0, firstAt: null }) }
const world = testServices({
  ...parts,
  feed: {
    askedQuestions: () => ({ ...parts.feed.askedQuestions(), problem: problem() }),
    declarations: () => ({ ...parts.feed.declarations(), problem: problem() }),
  },
  known,
  env: { retentionMonths: 24 },
  logger: { info: () => {}, warn },
})
beforeEach(async () => {
  for (const table of [protectedPersons, savedViews, settings, activity]) await desk.db.delete(table)
  isGood = true
  setLeads('d1', 'd2')
})
afterAll(() => desk.close())

const setLeads = (...ids: string[]) => desk.setDeclarations([...others, ...ids.map((id) => declaration(id, elsa))])
const pass = async (ms: number) => {
  for (const end = desk.time.ms + ms; desk.time.ms < end;) {
    await runRetention(world)
    desk.time.ms = Math.min(end, desk.time.ms + HOUR)
  }
  await runRetention(world)
}
const protect = (email = elsa.email) => {
  const contact = desk.parts.contactIds.encrypt('declaration-of-interest', declaration('x', { ...elsa, email }))
  const given = { emails: [email], phones: [], people: ['anna'], reason: 'x' }
  return protectPerson(desk.parts, anna, { contact, ...given })
}
const protections = async () => (await desk.parts.protections.current()).all.length

test('a protection ends, and the log says so, seven days after the last of the person’s leads is gone', async () => {
  const olle = { ...elsa, email: 'olle@example.se' }
  desk.setDeclarations([...others, declaration('d2', elsa), declaration('e1', olle)])
  const [left, { id }] = [await protect(), await protect(olle.email)]
  setLeads('d2')
  await pass(6.9 * DAY)
  expect(await protections()).toBe(2)
  await pass(0.2 * DAY)
  expect([await protections(), await desk.db.$count(protectedPersons)], 'of her one lead is left').toEqual([1, 1])
  const lifted = (await desk.db.select().from(activity)).filter(({ action }) => action === 'protection-lifted')
  expect(lifted).toMatchObject([{ userId: null, details: { protection: id } }])
  await liftProtection(desk.parts, anna, { id: left.id })
  await runRetention(world)
  const isAbsences = like(settings.name, 'absences:%')
  const absences = await desk.db.select({ value: settings.value }).from(settings).where(isAbsences)
  expect(
    absences.map(({ value }) => value),
    'no trace is left',
  ).toEqual(absences.map(() => expect.objectContaining({ missing: [] })))
}, 120_000)

test('it does not end while there is a lead, while the service fails or is asked nothing, or where a lead came back', async () => {
  await protect()
  desk.time.ms += 800 * DAY
  await pass(HOUR)
  expect(await protections(), 'older than anything is kept').toBe(1)
  setLeads()
  await pass(DAY)
  isGood = false
  await pass(DAY)
  desk.time.ms += 5 * DAY
  isGood = true
  await pass(0.5 * DAY)
  setLeads('d3')
  await pass(HOUR)
  setLeads()
  await pass(5.9 * DAY)
  expect(await protections()).toBe(1)
  desk.setDeclarations([])
  await pass(1.2 * DAY)
  expect(await protections(), 'the list has shrunk by more than a tenth').toBe(1)
}, 120_000)

test('a saved view loses a lead that is gone for seven days, and goes with the last; others go after the retention period', async () => {
  const view = (query: object) => {
    desk.time.ms += 1_000
    return addView(desk.parts, anna, { list, name: 'Vy', query, shared: true })
  }
  await view({ id: ['d1'] })
  await view({ id: ['d1', 'o1'] })
  await view({ q: 'elsa' })
  const queries = async () => (await listViews(desk.parts, anna)).views.map(({ query }) => query)
  setLeads('d2')
  await pass(6.9 * DAY)
  expect(await queries()).toHaveLength(3)
  await pass(0.2 * DAY)
  expect(await queries()).toEqual([{ id: ['o1'] }, { q: 'elsa' }])
  desk.time.ms += 700 * DAY
  await runRetention(world)
  expect(await queries()).toHaveLength(2)
  desk.time.ms += 40 * DAY
  await runRetention(world)
  expect(await queries()).toEqual([])
}, 120_000)

test('an administrator agrees that a list is as small as it is', async () => {
  const questions = { list: 'asked-questions' } as const
  expect(await listPurgeHolds(parts, anna)).toEqual({ holds: [] })
  await expect(agreeToPurge(parts, anna, questions)).rejects.toThrow(NotFoundError)
  const measure = (size: number, now: number) =>
    desk.db.transaction((tx) => measureList(tx, { kind: 'asked-question', size, ...known }, now))
  await measure(100, 0)
  expect(await measure(60, 0)).toBe(true)
  expect((await listPurgeHolds(parts, anna)).holds).toEqual([
    { ...questions, cause: 'shrunk', before: 100, now: 60, missing: 40, since: '1970-01-01T00:00:00.000Z' },
  ])
  expect(await agreeToPurge(parts, anna, questions)).toEqual({ holds: [] })
  // 60 is the measure from now on: 58 is no fall, 50 is one.
  expect(await measure(58, parts.now())).toBe(false)
  expect(await measure(50, parts.now())).toBe(true)
  expect((await listPurgeHolds(parts, anna)).holds).toMatchObject([{ before: 60, now: 50 }])
  expect(await desk.db.select().from(activity).where(eq(activity.action, 'purge-agreed'))).toMatchObject([
    { userId: 'anna', details: { ...questions, before: 100, now: 60 } },
  ])
})
