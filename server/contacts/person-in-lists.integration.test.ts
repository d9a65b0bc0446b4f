import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AskedQuestionsPage } from '@/lib/contract/lead'
import { declaration, question } from '@/lib/leads/testing/leads'
import { allow, type Allowed } from '@/server/access/viewer'
import { listLeads } from '@/server/leads/list-leads'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { changeTriage } from '@/server/triage/triage-jobs'
import { getContact } from './get-contact'

const stella = { firstName: 'Stella', lastName: 'Persson', email: 'stella@example.se' }
const asked = question('q1', { email: stella.email })

let desk: TestDesk
let norra: Allowed<'leads:read'>
let both: Allowed<'leads:read'>
beforeAll(async () => {
  desk = await openTestDesk()
  norra = allow(await desk.person('norra', 'staff', ['norra']), 'leads:read')
  both = allow(await desk.person('both', 'admin', 'all'), 'leads:read')
})
beforeEach(() => {
  desk.setQuestions([asked])
  desk.setDeclarations([declaration('d1', { ...stella, school: 'sodra' })])
})
afterAll(() => desk.close())

async function personOf(viewer: Allowed<'leads:read'>) {
  const page = await listLeads(desk.parts, viewer, 'asked-questions', { offset: 0, limit: 50 })
  return (page as AskedQuestionsPage).askedQuestions[0]?.person
}

test('who may not see the other school is told neither of the name nor of the declaration', async () => {
  expect(await personOf(norra)).toBeNull()
  expect(await personOf(both)).toMatchObject({ name: 'Stella Persson', open: 1, leads: 1 })
  const id = desk.parts.contactIds.of('asked-question', asked)
  const leadsOf = async (viewer: Allowed<'leads:read'>) => (await getContact(desk.parts, viewer, { id })).leads
  expect((await leadsOf(norra)).map(({ lead }) => lead.person)).toEqual([null])
  expect((await leadsOf(both)).map(({ lead }) => lead.person?.leads)).toEqual([1, 1])
})

test('a page follows the other list, and what is decided there', async () => {
  expect(await personOf(both)).toMatchObject({ open: 1, leads: 1 })
  const karin = await desk.person('karin', 'staff', ['sodra'])
  await changeTriage(desk.parts, karin, [{ kind: 'declaration-of-interest', id: 'd1' }], { status: 'handled' })
  expect(await personOf(both)).toMatchObject({ open: 0, leads: 1 })
  desk.setDeclarations([declaration('d1', stella), declaration('d2', { ...stella, firstName: 'Erik' })])
  expect(await personOf(both)).toMatchObject({ name: null, leads: 2 })
  desk.setDeclarations([])
  expect(await personOf(both)).toBeNull()
})
