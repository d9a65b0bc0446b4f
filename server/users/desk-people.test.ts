import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Viewer } from '@/server/access/make-viewer'
import { listActivity } from '@/server/activity/list-activity'
import { activityQuerySchema } from '@/lib/contract/activity'
import { ForbiddenError, NotFoundError } from '@/server/errors'
import { declaration, openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { notePresence } from '@/server/presence/note-presence'
import { agreeToPurge, listPurgeHolds } from '@/server/retention/purge-holds'
import { storedWatch } from '@/server/retention/stored-watch'
import { deleteTemplate } from '@/server/templates/delete-template'
import { listTemplates } from '@/server/templates/list-templates'
import { addTemplate, changeTemplate } from '@/server/templates/save-template'
import { listPeople } from './list-people'

const parts = vi.hoisted(() => ({ current: {} }))
vi.mock('@/server/services', () => ({ services: () => parts.current }))

let desk: TestDesk
let sara: Viewer
let nils: Viewer
let anna: Viewer
let boss: Viewer
beforeAll(async () => {
  desk = await openTestDesk()
  parts.current = desk.parts
  sara = await desk.person('sara', 'staff', ['norra', 'sodra'])
  nils = await desk.person('nils', 'staff', ['sodra'])
  anna = await desk.person('anna', 'admin', 'all')
  boss = await desk.person('boss', 'manager', 'all')
  await desk.person('eva', 'staff', ['vastra'])
  await desk.person('gone', 'staff', ['sodra'])
  await desk.parts.users.change('gone', { disabled: true })
  await desk.person('nowhere', 'staff', [])
  desk.setDeclarations([declaration('d1', { school: 'sodra' }), declaration('d2', { school: 'norra' })])
})
afterAll(() => desk.close())

const lead = { kind: 'declaration-of-interest', id: 'd1' } as const
const template = { language: 'sv', name: 'Hej', subject: 'Hej {firstName}', body: 'Från {school}' } as const

test('leads can be assigned to colleagues of one’s own schools, by name alone', async () => {
  const ids = async (viewer: Viewer) => (await listPeople(viewer)).people.map(({ id }) => id)
  expect(await ids(nils)).toEqual(['anna', 'nils', 'sara'])
  expect(await ids(anna)).toEqual(['anna', 'eva', 'nils', 'sara'])
  expect((await listPeople(nils)).people[0]).toEqual({ id: 'anna', name: 'anna' })
  await expect(listPeople(boss)).rejects.toThrow(ForbiddenError)
})

test('who has a lead open sees the others, never oneself, and nobody out of reach', async () => {
  const tab = '7b0c5d0e-0000-4000-8000-000000000000'
  expect(await notePresence(sara, { tab, lead })).toEqual({ others: [] })
  expect(await notePresence(nils, { tab, lead })).toEqual({ others: [{ id: 'sara', name: 'sara' }] })
  await expect(notePresence(nils, { tab, lead: { ...lead, id: 'd2' } })).rejects.toThrow(NotFoundError)
  await expect(notePresence(boss, { tab, lead })).rejects.toThrow(ForbiddenError)
  expect(await notePresence(sara, { tab, lead: null })).toEqual({ others: [] })
  expect(await notePresence(nils, { tab, lead })).toEqual({ others: [] })
})

test('administrators write templates, those who read leads use them', async () => {
  const made = await addTemplate(anna, template)
  const changed = await changeTemplate(anna, made.id, { ...template, language: 'en', name: 'Hi' })
  await addTemplate(anna, template)
  expect((await listTemplates(sara)).templates.map(({ name }) => name)).toEqual(['Hej', 'Hi'])
  expect(changed).toEqual({ ...template, language: 'en', name: 'Hi', id: made.id })
  await deleteTemplate(anna, made.id)
  await expect(deleteTemplate(anna, made.id)).rejects.toThrow(NotFoundError)
  await expect(changeTemplate(anna, made.id, template)).rejects.toThrow(NotFoundError)
  for (const refused of [addTemplate(sara, template), deleteTemplate(sara, 'x'), listTemplates(boss)]) {
    await expect(refused).rejects.toThrow(ForbiddenError)
  }
})

test('administrators search the log by person, lead and action, page by page, newest first', async () => {
  await desk.parts.activity.record({ userId: 'sara', action: 'contact-opened', lead })
  await desk.parts.activity.record({ userId: null, action: 'sign-in-failed' })
  await desk.parts.activity.record({ userId: 'nils', action: 'contact-opened', lead, details: { note: 'n1' } })
  const found = async (query: object) => listActivity(anna, activityQuerySchema.parse(query))
  const { entries } = await found({ ...lead })
  expect(entries).toMatchObject([
    { user: { id: 'nils', name: 'nils' }, action: 'contact-opened', lead, details: { note: 'n1' } },
    { user: { id: 'sara', name: 'sara' }, details: {} },
  ])
  expect((await found({ user: 'sara' })).entries).toHaveLength(1)
  expect((await found({ action: 'sign-in-failed' })).entries).toMatchObject([{ user: null, lead: null }])
  const first = await found({ limit: 2 })
  expect([first.entries.length, first.hasMore]).toEqual([2, true])
  const next = await found({ limit: 200, before: first.entries[1]?.id })
  expect(next.hasMore).toBe(false)
  expect(next.entries.every(({ id }) => id < (first.entries[1]?.id ?? 0))).toBe(true)
  await expect(listActivity(sara, activityQuerySchema.parse({}))).rejects.toThrow(ForbiddenError)
})

test('an administrator agrees that a list is as small as it is', async () => {
  const list = 'asked-questions'
  expect(await listPurgeHolds(anna)).toEqual({ holds: [] })
  await expect(agreeToPurge(anna, list)).rejects.toThrow(NotFoundError)
  await storedWatch.setHold(desk.db, list, { before: 100, after: 60, since: 0 }, 0)
  expect((await listPurgeHolds(anna)).holds).toEqual([
    { list, before: 100, now: 60, since: '1970-01-01T00:00:00.000Z' },
  ])
  await expect(agreeToPurge(sara, list)).rejects.toThrow(ForbiddenError)
  expect(await agreeToPurge(anna, list)).toEqual({ holds: [] })
  expect(await storedWatch.watch(desk.db, list)).toMatchObject({ size: 60 })
  expect((await listActivity(anna, activityQuerySchema.parse({ action: 'purge-agreed' }))).entries).toHaveLength(1)
})
