import type { APIRequestContext, Page } from '@playwright/test'
import type { Contact, ContactLead } from '@/lib/contract/lead'
import { admin, changeAnswers, expect, expectAccessible, holdBack, open, pick, read, staff, test } from './fixtures'
import { declarations, leadPane, openMore, showAllHistory } from './leads'

test.use({ as: admin })

async function findContact(request: APIRequestContext, isWanted: (contact: Contact) => boolean): Promise<Contact> {
  const ids = new Set((await declarations(request, 'limit=200')).map(({ contactId }) => contactId))
  for (const id of ids) {
    const contact: Contact = await read(request, `/api/contacts/${id}`)
    if (isWanted(contact)) return contact
  }
  throw new Error('no such contact among the newest')
}

const pathTo = (lead: string, more = {}) => `/declarations?${new URLSearchParams({ lead, ...more })}`
const pathOf = ({ kind, lead }: ContactLead) =>
  `/${kind === 'asked-question' ? 'questions' : 'declarations'}?${new URLSearchParams({ lead: lead.id })}`
const nameOf = ({ lead }: ContactLead) => ('user' in lead ? `${lead.user.firstName} ${lead.user.lastName}` : '')
const timeline = (page: Page) => page.getByRole('region', { name: 'Vad som hänt' })
const begin = (page: Page) => page.getByRole('button', { name: 'Anteckna' }).click()
const noteField = (page: Page) => page.getByRole('textbox', { name: 'Skriv en anteckning' })

test(
  'a press on "note" is not lost to what comes late, and after saving one goes on writing',
  { tag: '@full' },
  async ({ page }) => {
    const contact = await findContact(page.request, ({ total }) => total > 1 && total < 8)
    const come = await holdBack(page, '**/api/contacts/**')
    await open(page, pathOf(pick(contact.leads, ({ kind }) => kind === 'declaration-of-interest')))
    const write = page.getByRole('button', { name: 'Anteckna' })
    await write.hover()
    await page.mouse.down()
    come()
    await expect(timeline(page).getByRole('button', { name: 'Visa allt' })).toBeVisible()
    await page.mouse.up()
    await expect(noteField(page)).toBeFocused()
    await noteField(page).press('Escape')
    await expect(noteField(page)).not.toBeFocused()
    await write.click()
    await expect(noteField(page)).toBeFocused()
    await page.route('**/api/notes', async (route) =>
      route.request().method() === 'POST' ? undefined : route.continue(),
    )
    await page.keyboard.type('Ringer sen')
    await timeline(page)
      .getByRole('button', { name: /^Spara/ })
      .click()
    await expect(noteField(page)).toHaveValue('')
    await expect(noteField(page)).toBeFocused()
  },
)

test.describe('the person behind a lead', () => {
  test(
    'has every other lead in what happened, those under another name with the reason they belong, and opens them',
    { tag: '@full' },
    async ({ page }) => {
      const contact = await findContact(page.request, ({ total, leads }) => {
        return total < 8 && leads.every(({ lead }) => 'user' in lead) && new Set(leads.map(nameOf)).size > 1
      })
      const others = contact.leads.filter((lead) => nameOf(lead) !== nameOf(pick(contact.leads)))
      await open(page, pathOf(pick(contact.leads)))
      await expect(timeline(page).getByRole('link').first()).toBeVisible()
      expect(await timeline(page).getByRole('listitem').count(), 'the last two lines').toBeLessThanOrEqual(2)
      await showAllHistory(page)
      const entries = timeline(page).getByRole('link')
      await expect(entries).toHaveCount(contact.total - 1)
      await expect(timeline(page).getByText(/^(?:Samma |Via ett annat ärende)/)).toHaveCount(others.length)
      await expectAccessible(page)
      const next = (await entries.first().getAttribute('href')) ?? ''
      await entries.first().click()
      await expect(page).toHaveURL(next)
      await showAllHistory(page)
      await expect(entries).toHaveCount(contact.total - 1)
    },
  )

  test('has a page of its own, and a way back', { tag: '@full' }, async ({ page }) => {
    const { id, total, leads } = await findContact(page.request, (contact) => contact.total > 1)
    await open(page, `/contacts/${id}`)
    await expect(page).toHaveTitle(/^Kontakt/)
    await expect(timeline(page).locator('ol > li')).toHaveCount(Math.min(total, 20))
    await expectAccessible(page)
    // Opened by a link, it leads back to the newest lead.
    await page.getByRole('link', { name: 'Tillbaka' }).click()
    await expect(page).toHaveURL(new RegExp(`lead=${pick(leads).lead.id}`))
  })

  test('that is unknown is reported as missing, with 404', async ({ page, allowError }) => {
    allowError(/status of 404/)
    const answer = await page.goto('/contacts/AAAAAAAAAAAAAAAAAAAAAA')
    await expect(page.getByRole('heading', { name: 'Kontakten finns inte' })).toBeVisible()
    expect(answer?.status()).toBe(404)
  })
})

test.describe('notes', () => {
  test.use({ as: staff })

  test('reach a colleague at once, keep a draft, and are deleted for both', async ({ page, pageAs }) => {
    const leads = await declarations(page.request, 'limit=2&sort=createdAt')
    const [path = '', otherPath = ''] = leads.map(({ id }) => pathTo(id, { sort: 'createdAt' }))
    const theirs = await pageAs(admin)
    await open(theirs, path)
    await open(page, path)

    const note = (at: Page) => at.getByRole('listitem').filter({ hasText: words })
    const words = `Ring efter klockan tre ${Date.now()}`
    await begin(page)
    await noteField(page).fill(words)
    await open(page, otherPath)
    await expect(noteField(page)).toBeHidden()
    await open(page, path)
    await expect(noteField(page)).toHaveValue(words)
    await noteField(page).press('Control+Enter')
    await expect(noteField(page)).toHaveValue('')
    await expect(note(page)).toBeVisible()
    await expect(note(theirs)).toBeVisible()

    await showAllHistory(page)
    await note(page).hover()
    await note(page).getByRole('button').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Ta bort' }).click()
    await expect(page.getByText(words)).toHaveCount(0)
    await expect(theirs.getByText(words)).toHaveCount(0)
  })
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

test('who else has the lead open is shown until they leave', async ({ page, pageAs }) => {
  const theirs = await pageAs(staff)
  const [lead] = await declarations(theirs.request, 'limit=1&sort=createdAt&offset=5')
  const path = pathTo(lead?.id ?? '', { sort: 'createdAt' })
  await open(page, path)
  const also = (at: Page) => at.getByRole('status').filter({ hasText: 'tittar också' })
  await expect(also(page)).toHaveCount(0)
  await open(theirs, path)
  await expect(also(page)).toBeVisible()
  await expect(also(theirs)).toBeVisible()
  await openMore(theirs)
  await theirs.getByRole('button', { name: 'Stäng' }).click()
  await expect(also(page)).toHaveCount(0)
})
