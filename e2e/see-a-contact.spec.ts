import type { Page } from '@playwright/test'
import type { Contact } from '@/lib/contract/lead'
import { changeAnswers, expect, expectAccessible, open, pick, read, test } from './fixtures'
import { declarations, leadPane, noteField } from './leads'

test.use({ as: 'admin' })

const pathTo = (lead: string, more = {}) => `/declarations?${new URLSearchParams({ lead, ...more })}`
const timeline = (page: Page) => page.getByRole('region', { name: 'Vad som hänt' })

test('the person behind a lead has the other leads, and a page of its own', { tag: '@full' }, async ({ page }) => {
  const all = await declarations(page.request, 'limit=200')
  const { id, contactId } = pick(all, ({ person }) => (person?.leads ?? 0) > 2)
  const contact: Contact = await read(page.request, `/api/contacts/${contactId}`)
  await open(page, pathTo(id))
  await expect(timeline(page).getByRole('listitem')).toHaveCount(2)
  await timeline(page).getByRole('button', { name: 'Visa allt' }).click()
  const entries = timeline(page).getByRole('link')
  await expect(entries).toHaveCount(contact.total - 1)
  await expectAccessible(page)
  const next = (await entries.first().getAttribute('href')) ?? ''
  await entries.first().click()
  await expect(page).toHaveURL(next)

  await open(page, `/contacts/${contact.id}`)
  await expect(page).toHaveTitle(/^Kontakt/)
  await expect(timeline(page).locator('ol > li')).toHaveCount(contact.total)
  await expectAccessible(page)
  // Opened by a link, it leads back to the newest lead.
  await page.getByRole('link', { name: 'Tillbaka' }).click()
  await expect(page).toHaveURL(new RegExp(`lead=${contact.leads[0]?.lead.id}`))
})

test('a person who is unknown is reported as missing, with 404', async ({ page, allowError }) => {
  allowError(/status of 404/)
  const answer = await page.goto('/contacts/AAAAAAAAAAAAAAAAAAAAAA')
  await expect(page.getByRole('heading', { name: 'Kontakten finns inte' })).toBeVisible()
  expect(answer?.status()).toBe(404)
})

test('a colleague is seen, and their note is kept as a draft, arrives and is deleted for both', async ({
  page,
  pageAs,
}) => {
  const leads = await declarations(page.request, 'limit=2&sort=createdAt&offset=5')
  const [path = '', otherPath = ''] = leads.map(({ id }) => pathTo(id, { sort: 'createdAt' }))
  const also = (at: Page) => at.getByRole('status').filter({ hasText: 'tittar också' })
  await open(page, path)
  await expect(also(page)).toHaveCount(0)
  const theirs = await pageAs('staff')
  await open(theirs, path)
  await expect(also(page)).toBeVisible()
  await expect(also(theirs)).toBeVisible()
  await theirs.keyboard.press('Escape')
  await expect(also(page)).toHaveCount(0)

  const words = `Ring efter klockan tre ${Date.now()}`
  const note = (at: Page) => at.getByRole('listitem').filter({ hasText: words })
  await open(theirs, path)
  await theirs.getByRole('button', { name: 'Anteckna' }).click()
  await noteField(theirs).fill(words)
  await open(theirs, otherPath)
  await open(theirs, path)
  await expect(noteField(theirs)).toHaveValue(words)
  await noteField(theirs).press('Control+Enter')
  await expect(note(page)).toBeVisible()
  await note(theirs).hover()
  await note(theirs).getByRole('button').click()
  await theirs.getByRole('dialog').getByRole('button', { name: 'Ta bort' }).click()
  await expect(theirs.getByText(words)).toHaveCount(0)
  await expect(page.getByText(words)).toHaveCount(0)
})

test('that a person is under 16 is said where one writes, until it is acknowledged', async ({ page }) => {
  const year = new Date().getFullYear() + 1
  const young = await declarations(page.request, `limit=50&year=${year}`)
  await changeAnswers(page, '**/api/preferences/minors', () => ({ value: null }))
  await open(page, pathTo(pick(young, ({ user }) => user.email !== null).id))
  await expect(leadPane(page).getByRole('heading', { level: 2 })).toBeVisible()
  await expect(leadPane(page).getByText(/under 16/i)).toHaveCount(0)
  await page.keyboard.press('r')
  await expect(page.getByRole('textbox', { name: 'Svar' })).toBeFocused()
  const rule = page.getByText('Reklam riktad till den som är under 16 år')
  await expect(rule).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Jag förstår' }).click()
  await expect(rule).toHaveCount(0)
})
