import { afterAll, beforeEach, expect, test } from 'vitest'
import { createConsoleViewer } from '@/server/access/viewer'
import { InvalidInputError } from '@/server/base/errors'
import { activity, settings } from '@/server/base/schema'
import { openTestDesk } from './testing/test-desk'
import { changeWorkSettings, createWorkChangeCheck, createWorkSettingsCache } from './work-settings'

const desk = await openTestDesk()
const { work, now } = desk.parts
beforeEach(async () => {
  await desk.db.delete(settings)
  await desk.db.delete(activity)
})
afterAll(() => desk.close())

const anotherInstance = () => createWorkSettingsCache(desk.parts)
const change = (changed: Parameters<typeof changeWorkSettings>[2]) =>
  changeWorkSettings(desk.parts, createConsoleViewer(), changed)
const logged = async () => (await desk.db.select().from(activity).orderBy(activity.id)).map(({ details }) => details)

test('by default everything is work and questions have two working days', async () => {
  expect(await work.getSettings()).toMatchObject({ work: null, goals: { 'asked-question': 2 } })
  expect(await work.getRules('declaration-of-interest')).toMatchObject({ workSince: -Infinity, openYear: -Infinity })
  expect((await work.getRules('declaration-of-interest')).toDueDay(now())).toBeNull()
  expect((await work.getRules('asked-question')).toDueDay(now())).toBe('2026-11-24')
})

test('a change is for everybody, leaves the rest, and is logged', async () => {
  const goals = { 'asked-question': null, 'declaration-of-interest': 5 }
  await change({ work: { from: '2026-09-16' } })
  await change({ goals })
  const another = anotherInstance()
  expect(await another.getSettings()).toMatchObject({ work: { from: '2026-09-16' }, goals })
  const workSince = Date.parse('2026-09-15T22:00:00Z')
  expect(await another.getRules('asked-question')).toMatchObject({ workSince, openYear: 2027, lateBefore: -Infinity })
  expect(await logged()).toMatchObject([{ setting: 'work.work' }, { setting: 'work.goals' }])
})

test('where answers go is logged with the old and the new address, school by school', async () => {
  await change({ replyTo: { norra: 'a@skola.example', sodra: 'b@skola.example' } })
  await desk.db.delete(activity)
  const detour = { norra: 'eva@evil.example', sodra: null, vastra: 'c@skola.example' }
  expect((await change({ replyTo: detour })).replyTo).not.toHaveProperty('sodra')
  expect(await logged()).toMatchObject([
    { setting: 'work.replyTo', schools: ['norra'], from: 'a@skola.example', to: 'eva@evil.example' },
    { schools: ['sodra'], from: 'b@skola.example', to: null },
    { schools: ['vastra'], from: null, to: 'c@skola.example' },
  ])
  await change({ replyTo: { norra: 'eva@evil.example' } })
  expect((await logged()).slice(3), 'what changes nothing').toEqual([{ console: true, setting: 'work.replyTo' }])
})

test('work begins on no day to come', async () => {
  const refused = { field: 'work.from', reason: 'in-future' }
  await expect(change({ work: { from: '2026-11-21' } })).rejects.toMatchObject(refused)
  expect(await change({ work: { from: '2026-11-20' } })).toMatchObject({ work: { from: '2026-11-20' } })
})

test('settings by school have a limit as a whole, and what is over it changes nothing', async () => {
  const thousand = Array.from({ length: 1_000 }, (_, index) => [`school-${index}`, 'program'] as const)
  const count = async () => Object.keys((await work.getSettings()).mailWay).length
  await change({ mailWay: Object.fromEntries(thousand) })
  await expect(change({ mailWay: { another: 'program' } })).rejects.toThrow(InvalidInputError)
  expect(await count()).toBe(1_000)
  await change({ mailWay: { 'school-0': null, another: 'program' } })
  expect(await count(), 'one for another').toBe(1_000)
})

test('browsers hear when the day turns, when it is seven, and when another instance changed a setting, once each', async () => {
  const own = anotherInstance()
  const announced: string[] = []
  const look = createWorkChangeCheck(own, () => announced.push(new Date(now()).toISOString()))
  const times = ['20T22:50', '20T23:00', '20T23:10', '21T05:50', '21T06:00', '21T06:10', '21T19:50']
  for (const time of times) {
    desk.time.ms = Date.parse(`2026-11-${time}:00Z`)
    await look()
  }
  expect(announced).toEqual(['2026-11-20T23:00:00.000Z', '2026-11-21T06:00:00.000Z'])
  await change({ goals: { 'asked-question': 1, 'declaration-of-interest': null } })
  await look()
  expect(announced).toHaveLength(3)
  desk.time.ms = Date.parse('2026-11-22T23:00:00Z')
  await look()
  expect(announced.at(-1), 'on Monday others are late').toBe('2026-11-22T23:00:00.000Z')
})
