import { testServices } from '@/server/testing/services'
import { afterAll, expect, test } from 'vitest'
import { addDays, stockholmDay } from '@/lib/time/stockholm'
import { consoleViewer, makeViewer } from '@/server/access/viewer'
import { createActivity } from '@/server/access/activity'
import { activity } from '@/server/base/schema'
import { openPgliteInMemory } from '@/server/base/testing/in-memory'
import { failWhenUnreachable } from '@/server/base/testing/unreachable'
import { ForbiddenError, InvalidInputError } from '@/server/base/errors'
import { changeWorkSettings, createWork, createWorkClock } from './work'

const time = { ms: Date.parse('2026-11-20T08:00:00Z') }
const now = () => time.ms
const database = await openPgliteInMemory()
afterAll(() => database.close())

function partsOf() {
  const connect = async () => database.db
  const work = createWork({ connect, now, onUnreachable: failWhenUnreachable })
  const announcer = { work: async () => work.invalidate() }
  return testServices({ connect, now, work, announcer, activity: createActivity({ connect, now }) })
}

test('by default everything is work and questions have two working days', async () => {
  const { work } = partsOf()
  expect(await work.settings()).toMatchObject({ work: null, goals: { 'asked-question': 2 } })
  expect(await work.rules('declaration-of-interest')).toMatchObject({ workSince: -Infinity, openYear: -Infinity })
  expect((await work.rules('declaration-of-interest')).dueOf(now())).toBeNull()
  expect((await work.rules('asked-question')).dueOf(now())).toBe('2026-11-24')
  expect(['2026-12-24', '2026-12-23'].map(work.isHoliday), 'as in Sweden').toEqual([true, false])
})

test('a change is for everybody, leaves the rest, and is logged', async () => {
  const [parts, another] = [partsOf(), partsOf()]
  await changeWorkSettings(parts, consoleViewer(), { work: { from: '2026-09-16' } })
  const goals = { 'asked-question': null, 'declaration-of-interest': 5 }
  await changeWorkSettings(parts, consoleViewer(), { goals })
  expect(await another.work.settings()).toMatchObject({ work: { from: '2026-09-16' }, goals })
  const workSince = Date.parse('2026-09-15T22:00:00Z')
  const rules = { workSince, openYear: 2027, lateBefore: -Infinity }
  expect(await another.work.rules('asked-question')).toMatchObject(rules)
  const logged = (await database.db.select().from(activity)).map(({ details }) => details?.['setting'])
  expect(logged).toEqual(['work.work', 'work.goals'])
})

test('of where answers go the log has the old and the new address, school by school', async () => {
  const parts = partsOf()
  await changeWorkSettings(parts, consoleViewer(), { replyTo: { norra: 'a@skola.example', sodra: 'b@skola.example' } })
  await database.db.delete(activity)
  const detour = { norra: 'eva@evil.example', sodra: null, vastra: 'c@skola.example' }
  await changeWorkSettings(parts, consoleViewer(), { replyTo: detour })
  const rows = (await database.db.select().from(activity)).map(({ details }) => details)
  expect(rows).toMatchObject([
    { setting: 'work.replyTo', schools: ['norra'], from: 'a@skola.example', to: 'eva@evil.example' },
    { schools: ['sodra'], from: 'b@skola.example', to: null },
    { schools: ['vastra'], from: null, to: 'c@skola.example' },
  ])
  const unchanged = { replyTo: { norra: 'eva@evil.example' } }
  expect((await changeWorkSettings(parts, consoleViewer(), unchanged)).replyTo).not.toHaveProperty('sodra')
  await changeWorkSettings(parts, consoleViewer(), { replyTo: {} })
  const logged = (await database.db.select().from(activity)).slice(3).map(({ details }) => details)
  expect(logged).toMatchObject([{ setting: 'work.replyTo' }, { setting: 'work.replyTo' }])
  expect(JSON.stringify(logged)).not.toContain('evil')
})

test('work does not begin on a day to come, and only administrators decide it', async () => {
  const parts = partsOf()
  const staff = makeViewer({ id: 'sara', name: 'Sara', email: 's@skola.example', role: 'staff', schools: 'all' })
  await expect(changeWorkSettings(parts, staff, { mailWay: {} })).rejects.toThrow(ForbiddenError)
  const today = stockholmDay(parts.now())
  const begin = (from: string) => changeWorkSettings(parts, consoleViewer(), { work: { from } })
  const refused = { field: 'work.from', reason: 'in-future' }
  await expect(begin(addDays(today, 1))).rejects.toMatchObject(refused)
  expect(await parts.work.settings()).not.toMatchObject({ work: { from: addDays(today, 1) } })
  expect(await begin(today)).toMatchObject({ work: { from: today } })
})

test('settings by school have a limit as a whole, and what is over it changes nothing', async () => {
  const parts = partsOf()
  const schools = (from: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`school-${from + index}`, 'program'] as const))
  const mail = (mailWay: Record<string, 'program' | null>) => changeWorkSettings(parts, consoleViewer(), { mailWay })
  await mail(schools(0, 1_000))
  await expect(mail(schools(1_000, 1))).rejects.toThrow(InvalidInputError)
  const kept = async () => Object.keys((await parts.work.settings()).mailWay)
  expect(await kept()).toHaveLength(1_000)
  await mail({ 'school-0': null, 'school-1000': 'program' })
  expect(await kept(), 'one for another').toHaveLength(1_000)
})

test('browsers hear when seven in the morning has come, and when the day has turned, once each', async () => {
  const { work } = partsOf()
  const announced: string[] = []
  const workLocally = () => announced.push(new Date(time.ms).toISOString())
  const look = createWorkClock(work, { workLocally })
  for (let minute = 0; minute < 24 * 60; minute += 10) {
    time.ms = Date.parse('2026-11-20T20:00:00Z') + minute * 60_000
    await look()
  }
  expect(announced).toEqual(['2026-11-20T23:00:00.000Z', '2026-11-21T06:00:00.000Z'])
  const goals = { 'asked-question': 2, 'declaration-of-interest': null }
  await changeWorkSettings(partsOf(), consoleViewer(), { goals })
  await look()
  expect(announced, 'of a setting that another instance changed').toHaveLength(3)
  time.ms = Date.parse('2026-11-22T23:00:00Z')
  await look()
  expect(announced.at(-1), 'on Monday others are late').toBe('2026-11-22T23:00:00.000Z')
})
