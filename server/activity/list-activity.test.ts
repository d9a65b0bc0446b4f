import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { activityQuerySchema } from '@/lib/contract/activity'
import type { Viewer } from '@/server/access/make-viewer'
import { ForbiddenError } from '@/server/errors'
import { createExportLog } from '@/server/export/export-log'
import { declaration, openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { changeTriage } from '@/server/triage/change-triage'
import { listActivity } from './list-activity'

const parts = vi.hoisted(() => ({ current: {} }))
vi.mock('@/server/services', () => ({ services: () => parts.current }))

const kind = 'declaration-of-interest'
let desk: TestDesk
let anna: Viewer
let sara: Viewer
beforeAll(async () => {
  desk = await openTestDesk()
  parts.current = desk.parts
  desk.setDeclarations([declaration('a'), declaration('b')])
  anna = await desk.person('anna', 'admin', 'all')
  sara = await desk.person('sara', 'staff', 'all')
})
afterAll(() => desk.close())

const actions = async (query: object, viewer = anna) =>
  (await listActivity(viewer, activityQuerySchema.parse(query))).entries.map(({ action }) => action)

test('about a lead there is what was done with it, and every export it left in', async () => {
  const { connect, activity, seal, now } = desk.parts
  const log = createExportLog({ connect, clock: now, activity, seal })
  const begin = async (leadIds: string[]) => {
    desk.time.ms += 1_000
    const reason = { purpose: 'Utskick', matching: null, newOnly: false }
    const list = 'declarations-of-interest'
    return log.begin({ userId: sara.id, list, format: 'csv', columns: ['id'], scope: 'x', leadIds, reason })
  }
  await changeTriage(desk.db, sara.id, [{ kind, id: 'a' }], { status: 'handled' })
  const both = await begin(['a', 'b'])
  for (let times = 0; times < 7; times++) await begin(['b'])
  await log.end({ id: both, userId: sara.id, state: 'finished', written: 2 })
  expect(await actions({ kind, id: 'a' })).toEqual(['export-ended', 'export-started', 'triage-changed'])
  expect(await actions({ id: 'b', action: 'export-started' })).toEqual(Array(8).fill('export-started'))
  expect(await actions({ id: 'b', limit: 3 })).toHaveLength(3)
  expect(await actions({ kind: 'asked-question', id: 'a' })).toEqual([])
  expect(await actions({ user: anna.id, id: 'a' })).toEqual([])
  await expect(actions({ id: 'a' }, sara)).rejects.toThrow(ForbiddenError)
})
