import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Allowed, allow, may } from '@/server/access/viewer'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { addDays, stockholmDay } from '@/lib/time/stockholm'
import { InvalidInputError } from '@/server/errors'
import { getOwnLeave, setOwnLeave, changeWorkSettings } from '@/server/settings/work'
import { listPeople } from './users'

let desk: TestDesk
beforeAll(async () => {
  desk = await openTestDesk()
  await desk.person('sara', 'staff', ['norra', 'sodra'])
  await desk.person('eva', 'staff', ['vastra'])
  await desk.person('gone', 'staff', ['sodra'])
  await desk.parts.users.change(desk.db, 'gone', { disabled: true })
  await desk.person('nowhere', 'staff', [])
})
afterAll(() => desk.close())

test('leads can be assigned to colleagues of one’s own schools, by name alone', async () => {
  const nils = allow(await desk.person('nils', 'staff', ['sodra']), 'leads:triage')
  const anna = allow(await desk.person('anna', 'admin', 'all'), 'leads:triage')
  const boss = await desk.person('boss', 'manager', 'all')
  const ids = async (viewer: Allowed<'leads:triage'>) =>
    (await listPeople(desk.parts, viewer)).people.map(({ id }) => id)
  expect(await ids(nils)).toEqual(['anna', 'nils', 'sara'])
  expect(await ids(anna)).toEqual(['anna', 'eva', 'nils', 'sara'])
  expect((await listPeople(desk.parts, nils)).people[0]).toEqual({ id: 'anna', name: 'anna' })
  expect(may(boss, 'leads:triage')).toBe(false)
})

test('of one school only who sees it; users on leave are marked as away until they are back', async () => {
  const admin = allow(await desk.person('zara', 'admin', 'all'), 'leads:triage')
  const sara = allow(await desk.person('sven', 'staff', ['sodra']), 'leads:triage')
  const of = async (viewer: Allowed<'leads:triage'>, school: string) =>
    (await listPeople(desk.parts, viewer, { school })).people
  expect((await of(admin, 'vastra')).map(({ id }) => id)).toEqual(['anna', 'eva', 'zara'])
  expect(await of(sara, 'vastra')).toEqual([])
  await setOwnLeave(desk.parts, sara, { until: '2026-11-23' })
  expect(await of(admin, 'sodra')).toContainEqual({ id: 'sven', name: 'sven', awayUntil: '2026-11-23' })
  expect(await getOwnLeave(desk.parts, sara)).toEqual({ until: '2026-11-23' })
  expect(await getOwnLeave(desk.parts, admin)).toEqual({ until: null })
  desk.time.ms = Date.parse('2026-11-23T06:00:00Z')
  expect(await of(admin, 'sodra')).toContainEqual({ id: 'sven', name: 'sven' })
  expect(await getOwnLeave(desk.parts, sara)).toEqual({ until: null })
})

test('one’s own leave ends within a year, also where an administrator sets it with the others', async () => {
  const ada = allow(await desk.person('ada', 'admin', 'all'), 'leads:triage')
  const today = stockholmDay(desk.time.ms)
  const [last, beyond] = [addDays(today, 365), addDays(today, 366)]
  await expect(setOwnLeave(desk.parts, ada, { until: beyond })).rejects.toThrow(InvalidInputError)
  await expect(changeWorkSettings(desk.parts, ada, { leave: { ada: beyond } })).rejects.toThrow(InvalidInputError)
  expect(await setOwnLeave(desk.parts, ada, { until: last })).toEqual({ until: last })
})

test('one’s own leave leaves that of others as it is', async () => {
  const eva = allow(await desk.person('elsa', 'staff', ['norra']), 'leads:triage')
  const ulf = allow(await desk.person('ulf', 'staff', ['norra']), 'leads:triage')
  await Promise.all([
    setOwnLeave(desk.parts, eva, { until: '2026-12-01' }),
    setOwnLeave(desk.parts, ulf, { until: '2026-12-02' }),
  ])
  await setOwnLeave(desk.parts, eva, { until: null })
  const { leave } = await desk.parts.work.settings()
  expect(leave['elsa']).toBeUndefined()
  expect(leave['ulf']).toBe('2026-12-02')
})
