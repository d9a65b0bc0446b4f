import { afterAll, beforeAll, expect, test } from 'vitest'
import { declaration } from '@/lib/leads/testing/leads'
import { allow, type Allowed } from '@/server/access/viewer'
import { listVisits } from '@/server/db/schema'
import { ForbiddenError } from '@/server/errors'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { changeTriage } from '@/server/triage/triage-jobs'
import { listCounts } from './list-counts'
import { listLeads } from './list-leads'

const list = 'declarations-of-interest'
let desk: TestDesk
let sara: Allowed<'leads:read'>
beforeAll(async () => {
  desk = await openTestDesk()
  sara = allow(await desk.person('sara', 'staff', ['norra', 'sodra']), 'leads:read')
  desk.setDeclarations([
    declaration('1', { createdAt: '2026-11-20T12:00:00.000Z' }),
    declaration('2', { school: 'sodra', highSchoolEnrollmentYear: 2028 }),
    declaration('3', { school: 'vastra' }),
  ])
})
afterAll(() => desk.close())

test('only schools within reach are counted, and a change of triage at once', async () => {
  const before = await listCounts(desk.parts, sara, { matching: { list, school: ['norra'] } })
  expect(before).toMatchObject({ total: 1, school: { norra: 1, sodra: 1 }, year: { 2027: 1 }, status: { new: 1 } })
  expect(before.school).not.toHaveProperty('vastra')
  await changeTriage(desk.parts, sara, [{ kind: 'declaration-of-interest', id: '1' }], { assigneeId: 'sara' })
  expect(await listCounts(desk.parts, sara, { matching: { list } })).toMatchObject({
    total: 2,
    assignee: { sara: 1, none: 1 },
  })
})

test('counting is no visit; after a visit, what came since is fresh', async () => {
  expect(await desk.db.$count(listVisits)).toBe(0)
  expect(await listCounts(desk.parts, sara, { matching: { list } })).toMatchObject({ fresh: 2, freshSince: null })
  await listLeads(desk.parts, sara, list, { sort: 'createdAt', offset: 0, limit: 1 })
  desk.time.ms += 5 * 3_600_000
  expect(await listCounts(desk.parts, sara, { matching: { list } })).toMatchObject({
    fresh: 1,
    freshSince: '2026-11-20T08:00:00.000Z',
  })
})

test('is for those who may read leads', async () => {
  const boss = await desk.person('boss', 'manager', 'all')
  expect(() => allow(boss, 'leads:read')).toThrow(ForbiddenError)
})
