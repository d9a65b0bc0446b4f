import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { activityQuerySchema } from '@/lib/contract/activity'
import { declaration } from '@/lib/leads/testing/leads'
import { requirePermission } from '@/server/access/viewer'
import { activity as table } from '@/server/base/schema'
import { listActivity } from './list-activity'
import { openRightsDesk } from './testing/rights-desk'

const kind = 'declaration-of-interest'
const desk = await openRightsDesk()
desk.setDeclarations([declaration('a'), declaration('b')])
const { activity, exportLog } = desk.parts
const anna = requirePermission(await desk.addPerson('anna', 'admin', 'all'), 'admin')
const sara = await desk.addPerson('sara', 'staff', 'all')
afterAll(() => desk.close())

const list = async (query: object) => listActivity(desk.parts, anna, activityQuerySchema.parse(query))
const listActions = async (query: object) => (await list(query)).entries.map(({ action }) => action)
const beginExport = (...leadIds: string[]) => {
  desk.time.ms += 1_000
  const reason = { purpose: 'Utskick', matching: null, newOnly: false }
  const what = { list: 'declarations-of-interest', format: 'csv', scope: 'x', reason } as const
  return exportLog.begin(requirePermission(sara, 'leads:export'), { ...what, columns: ['id'], leadIds })
}

test('about a lead there is what was done with it, and every export it was in', async () => {
  await desk.decide(sara, [{ kind, id: 'a' }], { status: 'handled' })
  const both = await beginExport('a', 'b')
  for (let times = 0; times < 7; times++) await beginExport('b')
  await exportLog.end({ id: both, state: 'finished', written: 2 })
  expect(await listActions({ kind, id: 'a' })).toEqual(['export-ended', 'export-started', 'triage-changed'])
  expect(await listActions({ id: 'b', action: ['export-started'] })).toEqual(Array(8).fill('export-started'))
  expect(await listActions({ id: 'b', limit: 3 })).toHaveLength(3)
  expect(await listActions({ kind: 'asked-question', id: 'a' })).toEqual([])
  expect(await listActions({ user: 'nils', id: 'a' })).toEqual([])
  expect(await listActions({ user: anna.id, kind, id: 'a' }), 'that she asked').toEqual(['log-followed'])
})

test('the log is searched by user, lead and action, page by page, newest first', async () => {
  const lead = { kind, id: 'c' } as const
  await desk.addPerson('nils', 'staff', 'all')
  await activity.record({ userId: 'sara', action: 'opened', lead })
  await activity.record({ userId: null, action: 'sign-in-failed' })
  await activity.record({ userId: 'nils', action: 'opened', lead, details: { note: 'n1' } })
  expect((await list(lead)).entries).toMatchObject([
    { user: { id: 'nils', name: 'nils' }, action: 'opened', lead, details: { note: 'n1' } },
    { user: { id: 'sara', name: 'sara' }, details: {} },
  ])
  expect(await listActions({ user: 'nils' })).toEqual(['opened'])
  expect((await list({ action: ['sign-in-failed'] })).entries).toMatchObject([{ user: null, lead: null }])
  const whole = await list({ limit: 200 })
  const first = await list({ limit: 2 })
  const next = await list({ limit: 200, before: first.entries[1]?.id })
  expect([first.hasMore, next.hasMore]).toEqual([true, false])
  expect([...first.entries, ...next.entries]).toEqual(whole.entries)
})

test('a query is logged with the ids that it found, and no other text of the request', async () => {
  const readLogged = async (query: object) => {
    await desk.db.delete(table).where(eq(table.action, 'log-followed'))
    await list(query)
    const rows = await desk.db.select().from(table).where(eq(table.action, 'log-followed')).orderBy(table.id)
    return rows.map(({ leadKind, leadId, details }) => [leadKind, leadId, details])
  }
  expect(await readLogged({ user: 'Elsa Ek', kind, id: '070-123 45 67' })).toEqual([[null, null, null]])
  await activity.record({ userId: 'left', action: 'opened', lead: { kind, id: 'gone' } })
  expect(await readLogged({ user: 'left', kind, id: 'gone' })).toEqual([[kind, 'gone', { user: 'left' }]])
  expect(await readLogged({ user: 'left' })).toEqual([[null, null, { user: 'left' }]])
  expect(await readLogged({ user: 'left', before: 1e9 }), 'for the next page').toEqual([])
  await beginExport('sent')
  const bothKinds = ['asked-question', kind].map((leadKind) => [leadKind, 'sent', null])
  expect(await readLogged({ id: 'sent' }), 'without its kind').toEqual(bothKinds)
})
