import type { APIRequestContext } from '@playwright/test'
import type { Contact } from '@/lib/contract/lead'
import { daysAgo, expect, open, read, staff, test } from './fixtures'
import { expectLeft, expectOpen, expectStatus, questions } from './leads'

test.use({ as: staff })

/** A question of a person with exactly one more open lead. */
async function withTwoOpen(request: APIRequestContext) {
  const isOpen = (status: string) => status === 'new' || status === 'in-progress'
  const all = (await questions(request, `limit=200&to=${daysAgo(150)}`)).filter(
    ({ person, triage }) => person?.name && person.open === 1 && person.leads === 1 && isOpen(triage.status),
  )
  for (const lead of all) {
    const { leads }: Contact = await read(request, `/api/contacts/${lead.contactId}`)
    if (leads.length === 2) return lead
  }
  throw new Error('nobody has two open leads')
}

test('all open leads of a person are handled, and undone, as one', async ({ page }) => {
  const { id, person, triage } = await withTwoOpen(page.request)
  await open(page, `/questions?lead=${id}`)
  await expect(page.getByText('2 öppna ärenden från samma person:')).toBeVisible()
  await page.keyboard.press('Shift+E')
  await expect(page.getByText('2 ärenden är markerade som hanterade.')).toBeVisible()
  await expectStatus(page, 'asked-questions', id, 'handled')
  await expectLeft(page, id)
  await page.keyboard.press('z')
  await expect(page.getByText(`Ångrat för 2 ärenden från ${person?.name}.`)).toBeVisible()
  await expectOpen(page, id)
  await expectStatus(page, 'asked-questions', id, triage.status)
})
