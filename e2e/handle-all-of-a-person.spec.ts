import type { APIRequestContext } from '@playwright/test'
import type { Contact } from '@/lib/contract/contact'
import type { AskedQuestionsPage } from '@/lib/contract/lead'
import {
  comeIn,
  expect,
  expectAccessible,
  expectToFit,
  open,
  openLeadId,
  rows,
  staff,
  statusOf,
  test,
} from './fixtures'

async function questions(request: APIRequestContext) {
  const answer = await request.get('/api/asked-questions?limit=200')
  expect(answer.status()).toBe(200)
  return ((await answer.json()) as AskedQuestionsPage).askedQuestions
}

/**
 * A question of somebody who has one more open lead, and no other, also not through that one; each test its own person, as they
 * run at the same time.
 */
async function withTwoOpen(request: APIRequestContext, which: 'first' | 'last') {
  const isOpen = (status: string) => status === 'new' || status === 'in-progress'
  const all = (await questions(request)).filter(
    ({ person, triage }) => person?.name && person.open === 1 && person.leads === 1 && isOpen(triage.status),
  )
  for (const lead of which === 'first' ? all : all.toReversed()) {
    const { leads } = (await (await request.get(`/api/contacts/${lead.contactId}`)).json()) as Contact
    if (leads.length === 2) return lead
  }
  throw new Error('nobody has two open leads')
}

test.describe('the person behind a lead', () => {
  test('a question is headed by the name that the declaration tells, and says where the person declared', async ({
    page,
    context,
  }) => {
    await comeIn(context, staff)
    const known = (await questions(context.request)).find(({ person }) => person?.name && person.declared.length > 0)
    if (known?.person?.name == null) throw new Error('nobody asked and declared')
    await open(page, `/questions?lead=${known.id}`)
    const row = rows(page).filter({ hasText: known.person.name }).first()
    await expect(row).toBeVisible()
    await expect(row).toContainText('anmäld')
    await expectToFit(page)
    await expectAccessible(page)
  })

  test('all that is open of one person is handled in one stroke, and taken back as one', async ({ page, context }) => {
    await comeIn(context, staff)
    const wanted = await withTwoOpen(context.request, 'first')
    const before = wanted.triage.status
    await open(page, `/questions?lead=${wanted.id}`)
    await expect(page.getByText('2 öppna ärenden från samma person:')).toBeVisible()
    await page.keyboard.press('Shift+E')
    await expect(page.getByText('2 ärenden är markerade som hanterade.')).toBeVisible()
    await expect.poll(() => statusOf(context.request, 'asked-questions', wanted.id)).toBe('handled')
    await expect.poll(() => openLeadId(page)).not.toBe(wanted.id)
    await page.keyboard.press('z')
    await expect(page.getByText(`Ångrat för 2 ärenden från ${wanted.person?.name}.`)).toBeVisible()
    await expect.poll(() => openLeadId(page)).toBe(wanted.id)
    await expect.poll(() => statusOf(context.request, 'asked-questions', wanted.id)).toBe(before)
  })

  test('on the page of the person the same key takes back what was decided there, or shows one’s changes', async ({
    page,
    context,
  }) => {
    await comeIn(context, staff)
    const { id, contactId, triage } = await withTwoOpen(context.request, 'last')
    await open(page, `/contacts/${contactId}`)
    await page.keyboard.press('z')
    const changes = page.getByRole('dialog', { name: 'Mina senaste ändringar' })
    await expect(changes).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(changes).toBeHidden()
    await page.keyboard.press('Shift+E')
    await expect.poll(() => statusOf(context.request, 'asked-questions', id)).toBe('handled')
    await page.keyboard.press('z')
    await expect(page.getByText(/^Ångrat för 2 ärenden från/)).toBeVisible()
    await expect.poll(() => statusOf(context.request, 'asked-questions', id)).toBe(triage.status)
  })
})
