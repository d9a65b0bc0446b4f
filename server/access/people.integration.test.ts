import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Allowed, allow, may } from './viewer'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
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

test('of one school only who sees it', async () => {
  const admin = allow(await desk.person('zara', 'admin', 'all'), 'leads:triage')
  const sara = allow(await desk.person('sven', 'staff', ['sodra']), 'leads:triage')
  const of = async (viewer: Allowed<'leads:triage'>, school: string) =>
    (await listPeople(desk.parts, viewer, { school })).people
  expect((await of(admin, 'vastra')).map(({ id }) => id)).toEqual(['anna', 'eva', 'zara'])
  expect(await of(sara, 'vastra')).toEqual([])
})
