import { afterAll, beforeEach, expect, test } from 'vitest'
import { declaration, question } from '@/lib/leads/testing/leads'
import type { Reader } from '@/server/access/viewer'
import { NotFoundError } from '@/server/base/errors'
import { activity } from '@/server/base/schema'
import { getContact } from './get-contact'
import { openTestDesk } from './testing/test-desk'

const asa = { firstName: 'Åsa', lastName: 'Öberg', email: 'asa@example.se', phone: '070-174 06 05' }
const erik = { firstName: 'Erik', lastName: 'Öberg', email: 'erik@example.se', phone: '+46701740605' }
const day = (number: number) => `2026-11-${number}T07:00:00.000Z`
const asasFirst = declaration('d1', { ...asa, createdAt: day(10) })
const lone = question('q2')

const desk = await openTestDesk()
const norra = await desk.addPerson('norra', 'staff', ['norra'])
const both = await desk.addPerson('both', 'admin', 'all')
afterAll(() => desk.close())
beforeEach(() => {
  desk.setDeclarations([
    asasFirst,
    declaration('d2', { ...erik, createdAt: day(12) }),
    declaration('d3', { ...asa, email: 'ASA@example.se ', phone: null, school: 'sodra', createdAt: day(14) }),
    declaration('d4', { firstName: 'Maja', email: 'maja@example.se' }),
  ])
  desk.setQuestions([question('q1', { email: 'erik@example.se', createdAt: day(13) }), lone])
})

const contact = (viewer: Reader, lead: Parameters<typeof desk.getContactId>[0]) =>
  getContact(desk.parts, viewer, { id: desk.getContactId(lead) })
const reasons = async (viewer: Reader, lead: Parameters<typeof desk.getContactId>[0]) =>
  (await contact(viewer, lead)).leads.map(({ lead: { id }, reason }) => [id, reason.by, reason.sameName])

test('a contact has every lead of the person, newest first, with the reason', async () => {
  expect(await reasons(both, asasFirst)).toEqual([
    ['d3', 'anchor', true],
    ['q1', 'through-others', null],
    ['d2', 'same-phone', false],
    ['d1', 'anchor', true],
  ])
  desk.setDeclarations([declaration(lone.id)])
  expect(await reasons(norra, lone), 'of whom there is neither e-mail nor phone').toEqual([['q2', 'anchor', null]])
})

test('a lead out of scope is not shown and joins no others', async () => {
  const { leads, total } = await contact(norra, asasFirst)
  expect([leads.map(({ lead: { id } }) => id), total]).toEqual([['q1', 'd2', 'd1'], 3])
})

test('an unknown id and a person out of scope look alike', async () => {
  desk.setDeclarations([declaration('d3', { ...asa, school: 'sodra' })])
  await expect(contact(norra, asasFirst)).rejects.toThrow(new NotFoundError())
  await expect(getContact(desk.parts, norra, { id: 'nonsense' })).rejects.toThrow(new NotFoundError())
})

test('each lead that is shown is logged as opened', async () => {
  await desk.parts.leadOpenings.flush()
  await desk.db.delete(activity)
  await contact(norra, asasFirst)
  await desk.parts.leadOpenings.flush()
  const log = await desk.db.select().from(activity)
  expect(log.map(({ action, userId, leadId }) => `${action} ${leadId} ${userId}`).toSorted()).toEqual([
    'opened d1 norra',
    'opened d2 norra',
    'opened q1 norra',
  ])
})

test('of a phone that hundreds share five hundred leads are shown, and all are counted', async () => {
  desk.setDeclarations(Array.from({ length: 1_200 }, (_, index) => declaration(`n${index}`, { phone: '-' })))
  const { leads, total } = await contact(norra, declaration('x', { phone: '-' }))
  expect([leads.length, total]).toEqual([500, 1_200])
})

test('the person beside a lead in a list is made of leads in scope, and follows the other list and what is decided there', async () => {
  const stella = { firstName: 'Stella', lastName: 'Persson', email: 'stella@example.se' }
  const asked = question('q1', { email: stella.email })
  const personOf = async (viewer: Reader) => (await desk.listItems(viewer, 'asked-questions'))[0]?.person
  desk.setQuestions([asked])
  desk.setDeclarations([declaration('s1', { ...stella, school: 'sodra' })])
  expect([await personOf(norra), (await contact(norra, asked)).leads[0]?.lead.person]).toEqual([null, null])
  expect(await personOf(both)).toMatchObject({ name: 'Stella Persson', open: 1, leads: 1 })
  await desk.decide(both, [{ kind: 'declaration-of-interest', id: 's1' }], { status: 'handled' })
  expect(await personOf(both)).toMatchObject({ open: 0, leads: 1 })
  desk.setDeclarations([declaration('s1', stella), declaration('s2', { ...stella, firstName: 'Erik' })])
  expect(await personOf(both)).toMatchObject({ name: null, leads: 2 })
})
