import { eq, like } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { declaration } from '@/lib/leads/testing/leads'
import { requirePermission } from '@/server/access/viewer'
import { protectedPersons } from '@/server/base/access-schema'
import { activity, settings } from '@/server/base/schema'
import { testServices } from '@/server/testing/services'
import { liftProtection } from './protections'
import { runRetention } from './retention'
import { DAY, HOUR } from './testing/installation'
import { openRightsDesk } from './testing/rights-desk'

const elsa = { firstName: 'Elsa', lastName: 'Berg', email: 'elsa@example.se' }
const olle = { ...elsa, email: 'olle@example.se' }
const others = Array.from({ length: 40 }, (_, index) => declaration(`o${index}`))

const desk = await openRightsDesk()
const anna = requirePermission(await desk.person('anna', 'admin', 'all'), 'admin')
const { parts } = desk
const warn = ({ err }: { err?: unknown }) => expect(err).toBeUndefined()
const services = testServices({
  ...parts,
  knownLeads: { countGoneSince: () => ({ count: 0, firstAt: null }) },
  env: { retentionMonths: 24 },
  logger: { info: () => {}, warn },
})
beforeEach(async () => {
  for (const table of [protectedPersons, settings, activity]) await desk.db.delete(table)
  setLeads('d1', 'd2')
})
afterAll(() => desk.close())

const setLeads = (...ids: string[]) => desk.setDeclarations([...others, ...ids.map((id) => declaration(id, elsa))])
const passTime = async (ms: number) => {
  for (const end = desk.time.ms + ms; desk.time.ms < end;) {
    await runRetention(services)
    desk.time.ms = Math.min(end, desk.time.ms + HOUR)
  }
  await runRetention(services)
}
const protect = (user: typeof elsa) => desk.protect(anna, declaration('x', user), ['anna'])
const countProtections = async () => (await parts.protections.getList()).protections.length

test('a protection ends seven days after the last of its leads is gone', async () => {
  desk.setDeclarations([...others, declaration('d1', olle), declaration('d2', elsa)])
  const [elsas, olles] = [await protect(elsa), await protect(olle)]
  setLeads('d2')
  await passTime(6.9 * DAY)
  expect(await countProtections()).toBe(2)
  await passTime(0.2 * DAY)
  expect([await countProtections(), await desk.db.$count(protectedPersons)]).toEqual([1, 1])
  const lifted = await desk.db.select().from(activity).where(eq(activity.action, 'protection-lifted'))
  expect(lifted).toMatchObject([{ userId: null, details: { protection: olles.id } }])
  await liftProtection(parts, anna, { id: elsas.id })
  await runRetention(services)
  const absences = await desk.db.select().from(settings).where(like(settings.name, 'absences:%'))
  expect(absences.length).toBeGreaterThan(0)
  for (const { value } of absences) expect(value, 'no trace is left').toMatchObject({ missing: [] })
}, 120_000)

test('a protection lasts while there is a lead or the list is held, however old it is', async () => {
  await protect(elsa)
  desk.time.ms += 800 * DAY
  await passTime(HOUR)
  expect(await countProtections()).toBe(1)
  desk.setDeclarations([])
  await passTime(7.2 * DAY)
  expect(await countProtections(), 'the list has shrunk by more than a tenth').toBe(1)
}, 120_000)
