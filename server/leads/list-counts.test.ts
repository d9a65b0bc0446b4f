import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Viewer } from '@/server/access/make-viewer'
import { listVisits } from '@/server/db/schema'
import { ForbiddenError } from '@/server/errors'
import { changeTriage } from '@/server/triage/change-triage'
import { listCounts } from './list-counts'
import { listDeclarations } from './list-declarations'
import { declaration, openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'

const parts = vi.hoisted(() => ({ current: {} }))
vi.mock('@/server/services', () => ({ services: () => parts.current }))

const list = 'declarations-of-interest'
let desk: TestDesk
let sara: Viewer
beforeAll(async () => {
  desk = await openTestDesk()
  parts.current = desk.parts
  sara = await desk.person('sara', 'staff', ['norra', 'sodra'])
  desk.setDeclarations([
    declaration('1', { createdAt: '2026-11-20T12:00:00.000Z' }),
    declaration('2', { school: 'sodra', highSchoolEnrollmentYear: 2028 }),
    declaration('3', { school: 'vastra' }),
  ])
})
afterAll(() => desk.close())

test('only schools within reach are counted, and a change of triage at once', async () => {
  const before = await listCounts(sara, { list, school: ['norra'] })
  expect(before).toMatchObject({ total: 1, school: { norra: 1, sodra: 1 }, year: { 2027: 1 }, status: { new: 1 } })
  expect(before.school).not.toHaveProperty('vastra')
  await changeTriage(desk.db, 'sara', [{ kind: 'declaration-of-interest', id: '1' }], { assigneeId: 'sara' })
  expect(await listCounts(sara, { list })).toMatchObject({ total: 2, assignee: { sara: 1, none: 1 } })
})

test('counting is no visit; after a visit, what came since is fresh', async () => {
  expect(await desk.db.$count(listVisits)).toBe(0)
  expect(await listCounts(sara, { list })).toMatchObject({ fresh: 2, freshSince: null })
  await listDeclarations({ ...sara }, { sort: 'createdAt', offset: 0, limit: 1 })
  desk.time.ms += 5 * 3_600_000
  expect(await listCounts(sara, { list })).toMatchObject({ fresh: 1, freshSince: '2026-11-20T08:00:00.000Z' })
})

test('is for those who may read leads', async () => {
  await expect(listCounts(await desk.person('boss', 'manager', 'all'), { list })).rejects.toThrow(ForbiddenError)
})
