import { desc, eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { activityQuerySchema } from '@/lib/contract/activity'
import { declaration } from '@/lib/leads/testing/leads'
import { allow } from '@/server/access/viewer'
import { activity as table } from '@/server/base/schema'
import { createExportLog } from '@/server/export/export-log'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { changeTriage } from '@/server/leads/write-triage'
import { testServices } from '@/server/testing/services'
import { listActivity } from './list-activity'

const kind = 'declaration-of-interest'
const desk = await openTestDesk()
desk.setDeclarations([declaration('a'), declaration('b')])
const anna = allow(await desk.person('anna', 'admin', 'all'), 'admin')
const sara = await desk.person('sara', 'staff', 'all')
afterAll(() => desk.close())

const found = async (query: object) => listActivity(testServices(desk.parts), anna, activityQuerySchema.parse(query))
const begin = (leadIds: string[]) => {
  desk.time.ms += 1_000
  const reason = { purpose: 'Utskick', matching: null, newOnly: false }
  const what = { list: 'declarations-of-interest', format: 'csv', scope: 'x', reason } as const
  return createExportLog(desk.parts).begin(allow(sara, 'leads:export'), { ...what, columns: ['id'], leadIds })
}
const actions = async (query: object) => (await found(query)).entries.map(({ action }) => action)

test('about a lead there is what was done with it, and every export it was in', async () => {
  await changeTriage(desk.parts, sara, [{ kind, id: 'a' }], { status: 'handled' })
  const both = await begin(['a', 'b'])
  for (let times = 0; times < 7; times++) await begin(['b'])
  await createExportLog(desk.parts).end({ id: both, state: 'finished', written: 2 })
  expect(await actions({ kind, id: 'a' })).toEqual(['export-ended', 'export-started', 'triage-changed'])
  expect(await actions({ id: 'b', action: ['export-started'] })).toEqual(Array(8).fill('export-started'))
  expect(await actions({ id: 'b', limit: 3 })).toHaveLength(3)
  expect(await actions({ kind: 'asked-question', id: 'a' })).toEqual([])
  expect(await actions({ user: 'nils', id: 'a' })).toEqual([])
  const asked = ['log-followed', 'log-followed']
  expect(await actions({ user: anna.id, kind, id: 'a' }), 'that she asked, with the kind and without').toEqual(asked)
})

test('the log is searched by person, lead and action, page by page, newest first', async () => {
  const lead = { kind, id: 'c' } as const
  const { activity } = desk.parts
  await desk.person('nils', 'staff', 'all')
  await activity.record({ userId: 'sara', action: 'opened', lead })
  await activity.record({ userId: null, action: 'sign-in-failed' })
  await activity.record({ userId: 'nils', action: 'opened', lead, details: { note: 'n1' } })
  const { entries } = await found({ ...lead })
  expect(entries).toMatchObject([
    { user: { id: 'nils', name: 'nils' }, action: 'opened', lead, details: { note: 'n1' } },
    { user: { id: 'sara', name: 'sara' }, details: {} },
  ])
  expect((await found({ user: 'nils' })).entries).toHaveLength(1)
  expect((await found({ action: ['sign-in-failed'] })).entries).toMatchObject([{ user: null, lead: null }])
  const first = await found({ limit: 2 })
  expect([first.entries.length, first.hasMore]).toEqual([2, true])
  const next = await found({ limit: 200, before: first.entries[1]?.id })
  expect(next.hasMore).toBe(false)
  expect(next.entries.every(({ id }) => id < (first.entries[1]?.id ?? 0))).toBe(true)
})

test('a query is logged with ids that exist or existed, and no other text of the request', async () => {
  const asked = async (query: object) => {
    await found(query)
    const asking = desk.db.select().from(table).where(eq(table.action, 'log-followed'))
    const [row] = await asking.orderBy(desc(table.id)).limit(1)
    return [row?.leadId, row?.details]
  }
  const text = 'Elsa Ek 070-123 45 67 ringde'
  const nothing = [null, null]
  expect(await asked({ user: text, kind, id: text.repeat(10) })).toEqual(nothing)
  expect(await asked({ user: text, kind, id: text.repeat(10) }), 'however often').toEqual(nothing)
  expect(await asked({ user: 'sara', kind, id: 'b' })).toEqual(['b', { user: 'sara' }])
  expect(await asked({ kind: 'asked-question', id: 'b' }), 'no question').toEqual(nothing)
  await desk.parts.activity.record({ userId: 'left', action: 'opened', lead: { kind, id: 'gone' } })
  expect(await asked({ user: 'left', kind, id: 'gone' })).toEqual(['gone', { user: 'left' }])
  expect(await asked({ id: 'b' }), 'without its kind').toEqual(['b', null])
  await begin(['sent'])
  expect(await asked({ kind, id: 'sent' })).toEqual(['sent', null])
})
