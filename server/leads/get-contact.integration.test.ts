import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { AskedQuestionsPage } from '@/lib/contract/lead'
import { declaration, question } from '@/lib/leads/testing/leads'
import { allow, type Allowed } from '@/server/access/viewer'
import { activity } from '@/server/base/schema'
import { NotFoundError } from '@/server/base/errors'
import { listLeads } from './list-leads'
import { openTestDesk } from './testing/test-desk'
import { changeTriage } from './write-triage'
import { getContact } from './get-contact'

const asa = { firstName: 'Åsa', lastName: 'Öberg', email: 'asa@example.se', phone: '070-174 06 05' }
const erik = { firstName: 'Erik', lastName: 'Öberg', email: 'erik@example.se', phone: '+46701740605' }
const day = (number: number) => `2026-11-${number}T07:00:00.000Z`
const declarations = [
  declaration('d1', { ...asa, createdAt: day(10) }),
  declaration('d2', { ...erik, createdAt: day(12) }),
  declaration('d3', { ...asa, email: 'ASA@example.se ', phone: null, school: 'sodra', createdAt: day(14) }),
  declaration('d4', { firstName: 'Maja', email: 'maja@example.se' }),
]
const questions = [question('q1', { email: 'erik@example.se', createdAt: day(13) }), question('q2')]

type Reader = Allowed<'leads:read'>
const idOf = (index: number) => {
  const lead = declarations[index]
  return lead ? desk.parts.contactIds.encrypt('declaration-of-interest', lead) : ''
}
const desk = await openTestDesk()
desk.setDeclarations(declarations)
desk.setQuestions(questions)
const norra = allow(await desk.person('norra', 'staff', ['norra']), 'leads:read')
const both = allow(await desk.person('both', 'admin', 'all'), 'leads:read')
afterAll(() => desk.close())

const found = async (viewer: Reader, id: string) =>
  (await getContact(desk.parts, viewer, { id })).leads.map(({ lead, reason }) => [lead.id, reason.by, reason.sameName])

test('every lead of the person, newest first, with the reason: a brother by the same phone, and his question', async () => {
  expect(await found(both, idOf(0))).toEqual([
    ['d3', 'anchor', true],
    ['q1', 'through-others', null],
    ['d2', 'same-phone', false],
    ['d1', 'anchor', true],
  ])
})

test('a lead out of scope is neither there nor joins others', async () => {
  expect((await found(norra, idOf(0))).map(([id]) => id)).toEqual(['q1', 'd2', 'd1'])
  expect((await getContact(desk.parts, norra, { id: idOf(0) })).total).toBe(3)
})

test('an unknown id and a person out of scope look alike', async () => {
  desk.setDeclarations([declaration('d3', { ...asa, school: 'sodra' })])
  await expect(getContact(desk.parts, norra, { id: idOf(0) })).rejects.toThrow(new NotFoundError())
  await expect(getContact(desk.parts, norra, { id: 'nonsense' })).rejects.toThrow(new NotFoundError())
  desk.setDeclarations(declarations)
})

test('who left nothing is a contact of one lead', async () => {
  const [, lone] = questions
  const id = lone ? desk.parts.contactIds.encrypt('asked-question', lone) : ''
  expect(await found(norra, id)).toEqual([['q2', 'anchor', null]])
})

test('opening is logged once an hour for each of its leads, by ids alone', async () => {
  await desk.parts.openings.flush()
  await desk.db.delete(activity)
  await Promise.all([getContact(desk.parts, norra, { id: idOf(0) }), getContact(desk.parts, norra, { id: idOf(0) })])
  const { leads } = await getContact(desk.parts, norra, { id: idOf(0) })
  await desk.parts.openings.flush()
  const log = await desk.db.select().from(activity).where(eq(activity.userId, 'norra'))
  expect(leads.length).toBeGreaterThan(1)
  expect(log.map(({ action, leadKind, leadId, details }) => [action, leadKind, leadId, details]).toSorted()).toEqual(
    leads.map(({ kind, lead }) => ['opened', kind, lead.id, null]).toSorted(),
  )
})

test('of a phone that hundreds share five hundred leads are shown, and all are counted', async () => {
  desk.setDeclarations(Array.from({ length: 1_200 }, (_, index) => declaration(`n${index}`, { phone: '-' })))
  const id = desk.parts.contactIds.encrypt('declaration-of-interest', declaration('x', { phone: '-' }))
  const contact = await getContact(desk.parts, norra, { id })
  expect([contact.leads.length, contact.total]).toEqual([500, 1_200])
})

describe('in a list', () => {
  const stella = { firstName: 'Stella', lastName: 'Persson', email: 'stella@example.se' }
  const asked = question('q1', { email: stella.email })
  beforeEach(() => {
    desk.setQuestions([asked])
    desk.setDeclarations([declaration('s1', { ...stella, school: 'sodra' })])
  })

  async function personOf(viewer: Reader) {
    const page = await listLeads(desk.parts, viewer, 'asked-questions', { offset: 0, limit: 50 })
    return (page as AskedQuestionsPage).askedQuestions[0]?.person
  }

  test('without the other school neither its declaration nor the name is disclosed', async () => {
    expect(await personOf(norra)).toBeNull()
    expect(await personOf(both)).toMatchObject({ name: 'Stella Persson', open: 1, leads: 1 })
    const id = desk.parts.contactIds.encrypt('asked-question', asked)
    const leadsOf = async (viewer: Reader) => (await getContact(desk.parts, viewer, { id })).leads
    expect((await leadsOf(norra)).map(({ lead }) => lead.person)).toEqual([null])
    expect((await leadsOf(both)).map(({ lead }) => lead.person?.leads)).toEqual([1, 1])
  })

  test('a page follows the other list, and what is decided there', async () => {
    expect(await personOf(both)).toMatchObject({ open: 1, leads: 1 })
    const ulf = await desk.person('ulf', 'staff', ['sodra'])
    await changeTriage(desk.parts, ulf, [{ kind: 'declaration-of-interest', id: 's1' }], { status: 'handled' })
    expect(await personOf(both)).toMatchObject({ open: 0, leads: 1 })
    desk.setDeclarations([declaration('s1', stella), declaration('s2', { ...stella, firstName: 'Erik' })])
    expect(await personOf(both)).toMatchObject({ name: null, leads: 2 })
    desk.setDeclarations([])
    expect(await personOf(both)).toBeNull()
  })
})
