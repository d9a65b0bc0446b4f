import type { APIRequestContext, Page } from '@playwright/test'
import type { Contact, ContactLead } from '@/lib/contract/contact'
import type { DeclarationsPage, HighSchoolsAnswer } from '@/lib/contract/lead'
import type { TemplatesAnswer } from '@/lib/contract/reply-template'
import {
  admin,
  anotherPerson,
  comeIn,
  expect,
  expectAccessible,
  expectToFit,
  leadPane,
  manager,
  open,
  PHONE,
  signIn,
  staff,
  test,
} from './fixtures'

const DECLARATIONS = '/api/declarations-of-interest'

async function read<T>(request: APIRequestContext, path: string): Promise<T> {
  const answer = await request.get(path)
  expect(answer.status(), path).toBe(200)
  return answer.json()
}

const declarations = async (request: APIRequestContext, query = 'limit=200') =>
  (await read<DeclarationsPage>(request, `${DECLARATIONS}?${query}`)).declarationsOfInterest

async function schoolIdsOf(request: APIRequestContext): Promise<Set<string>> {
  const { highSchools } = await read<HighSchoolsAnswer>(request, '/api/high-schools')
  return new Set(highSchools.map(({ id }) => id))
}

/** The newest contact that `isWanted`. */
async function findContact(request: APIRequestContext, isWanted: (contact: Contact) => boolean): Promise<Contact> {
  const ids = new Set((await declarations(request)).map(({ contactId }) => contactId))
  for (const id of ids) {
    const contact = await read<Contact>(request, `/api/contacts/${id}`)
    if (isWanted(contact)) return contact
  }
  throw new Error('no such contact among the newest')
}

const pathOf = ({ kind, lead }: ContactLead) =>
  `/${kind === 'asked-question' ? 'questions' : 'declarations'}?${new URLSearchParams({ lead: lead.id })}`
const firstOf = ([first]: ContactLead[]) => {
  if (first === undefined) throw new Error('a contact without leads')
  return first
}
const timeline = (page: Page) => page.getByRole('region', { name: 'Tidslinje' })
const noteField = (page: Page) => page.getByRole('textbox', { name: 'Skriv en anteckning' })

test.describe('the person behind a lead', () => {
  test('has every lead in a timeline, each with the reason it belongs, and opens them', async ({ page, context }) => {
    await comeIn(context, admin)
    const contact = await findContact(context.request, ({ total }) => total > 1 && total < 8)
    await open(page, pathOf(firstOf(contact.leads)))
    const entries = timeline(page).getByRole('listitem')
    await expect(entries).toHaveCount(contact.total)
    await expect(timeline(page).getByText('Visas nu')).toHaveCount(1)
    await expect(timeline(page).getByText(/^(?:Samma |Via ett annat ärende)/)).toHaveCount(contact.total - 1)
    await expectAccessible(page)
    await timeline(page).getByRole('link').first().click()
    await expect(page).toHaveURL(/lead=/)
    await expect(timeline(page).getByText('Visas nu')).toHaveCount(1)
    await expect(timeline(page).getByRole('listitem')).toHaveCount(contact.total)
  })

  test('has a page of its own, with every name as it was given', { tag: '@full' }, async ({ page, context }) => {
    await comeIn(context, admin)
    const { id, total, leads } = await findContact(context.request, (contact) => contact.total > 1)
    await open(page, `/contacts/${id}`)
    await expect(page).toHaveTitle(/^Kontakt/)
    await expect(timeline(page).getByRole('listitem')).toHaveCount(Math.min(total, 20))
    for (const { kind, lead } of leads.slice(0, 5)) {
      if (kind === 'declaration-of-interest' && lead.user.firstName !== null)
        await expect(timeline(page).getByText(lead.user.firstName).first()).toBeVisible()
    }
    await expectAccessible(page)
  })

  test(
    'says whose each address is where several names are given, and is decided upon there',
    { tag: '@full' },
    async ({ page, context }) => {
      await comeIn(context, admin)
      const namesOf = ({ leads }: Contact) =>
        new Set(leads.flatMap(({ lead }) => ('user' in lead ? [`${lead.user.firstName} ${lead.user.lastName}`] : [])))
      // Two spellings of one name are one person.
      const firstLetters = (names: Set<string>) => new Set([...names].map((name) => name[0]?.normalize('NFD')[0]))
      const contact = await findContact(
        context.request,
        (found) =>
          namesOf(found).size === 2 &&
          firstLetters(namesOf(found)).size === 2 &&
          found.leads.every(({ lead }) => lead.triage.status === 'new'),
      )
      const newest = firstOf(contact.leads)
      await open(page, pathOf(newest))
      await page.getByRole('link', { name: 'Visa kontakten' }).click()
      await expect(page).toHaveURL(/\/contacts\//)
      const facts = page.locator('dl > div')
      for (const name of namesOf(contact)) await expect(facts.filter({ hasText: name }).first()).toBeVisible()

      const entry = timeline(page).getByRole('listitem').first()
      await entry.getByRole('button', { name: /Ny/ }).click()
      await entry.getByRole('menuitemradio', { name: 'Hanterad' }).click()
      await expect(entry.getByRole('button', { name: /Hanterad/ })).toBeVisible()
      await page.getByRole('button', { name: 'Ångra' }).click()
      await expect(entry.getByRole('button', { name: /Ny/ })).toBeVisible()

      await entry.getByRole('button', { name: 'Tilldela' }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Anna Berg/ })
        .click()
      await expect(entry.getByText('Ansvarig: Anna Berg')).toBeVisible()
      await page.getByRole('button', { name: 'Ångra' }).click()
      await expect(entry.getByText('Ansvarig: Anna Berg')).toBeHidden()
      await expect(entry).toContainText(/Ändrad av Anna Berg i dag/)
      await expectAccessible(page)

      await page.getByRole('link', { name: 'Tillbaka' }).click()
      await expect(page).toHaveURL(new RegExp(`lead=${newest.lead.id}`))
      await expect(timeline(page).getByText('Visas nu')).toBeVisible()
    },
  )

  test(
    'opened by a link of its own, leads back to the newest lead in its list',
    { tag: '@full' },
    async ({ page, context }) => {
      await comeIn(context, admin)
      const { id, leads } = await findContact(context.request, () => true)
      await open(page, `/contacts/${id}`)
      await page.getByRole('link', { name: 'Tillbaka' }).click()
      await expect(page).toHaveURL(new RegExp(`lead=${firstOf(leads).lead.id}`))
    },
  )

  test('is no other for staff, but without what is out of their reach', async ({ context, playwright }) => {
    await comeIn(context, staff)
    const reach = await schoolIdsOf(context.request)
    const everything = await anotherPerson(playwright, admin)
    // Named by an e-mail or phone that stands on a lead within reach: those alone are how staff come to it.
    const contact = await findContact(everything, ({ leads }) => {
      const within = leads.filter(({ lead }) => reach.has(lead.highSchoolId))
      return within.length < leads.length && within.some(({ reason }) => reason.by === 'anchor')
    })
    const narrow = await read<Contact>(context.request, `/api/contacts/${contact.id}`)
    const idsOf = (leads: ContactLead[]) => leads.map(({ lead }) => lead.id)
    const within = idsOf(contact.leads.filter(({ lead }) => reach.has(lead.highSchoolId)))
    // Fewer than are in reach when only a lead out of reach joined them.
    expect(narrow.leads.length).toBeGreaterThan(0)
    expect(idsOf(narrow.leads).filter((id) => !within.includes(id))).toEqual([])
    expect(narrow.total).toBe(narrow.leads.length)
    const text = JSON.stringify(narrow)
    const beyond = contact.leads.filter(({ lead }) => !reach.has(lead.highSchoolId))
    for (const { lead } of beyond) {
      expect(text).not.toContain(lead.id)
      expect(text).not.toContain(lead.highSchoolId)
    }
    await everything.dispose()
  })

  test('out of reach and unknown look alike', async ({ context, playwright }) => {
    await comeIn(context, staff)
    const reach = await schoolIdsOf(context.request)
    const everything = await anotherPerson(playwright, admin)
    const beyond = await findContact(everything, ({ leads }) =>
      leads.every(({ lead }) => !reach.has(lead.highSchoolId)),
    )
    await everything.dispose()
    const hidden = await context.request.get(`/api/contacts/${beyond.id}`)
    expect([hidden.status(), await hidden.json()]).toEqual([404, { error: 'Not Found' }])
    const answer = await context.request.get('/api/contacts/AAAAAAAAAAAAAAAAAAAAAA')
    expect([answer.status(), await answer.json()]).toEqual([404, { error: 'Not Found' }])
  })

  test.describe('that is unknown', () => {
    test.use({ allowedError: /status of 404/ })

    test('is said to be none, by the status too', async ({ page, context }) => {
      await comeIn(context, staff)
      const answer = await page.goto('/contacts/AAAAAAAAAAAAAAAAAAAAAA')
      await expect(page.getByRole('heading', { name: 'Kontakten finns inte' })).toBeVisible()
      expect(answer?.status()).toBe(404)
    })
  })

  test('is nobody to a manager', async ({ page, context }) => {
    await comeIn(context, manager)
    await page.goto('/contacts/AAAAAAAAAAAAAAAAAAAAAA')
    await expect(page.getByRole('heading', { name: 'Du har inte tillgång till den här sidan' })).toBeVisible()
  })
})

test.describe('notes', () => {
  test('are seen by a colleague at once, keep a draft over leads and reloads, and go when taken away', async ({
    page,
    context,
    browser,
  }) => {
    await comeIn(context, staff)
    const [lead, other] = await declarations(context.request, 'limit=2&sort=createdAt')
    if (lead === undefined || other === undefined) throw new Error('too few declarations')
    const path = (id: string) => `/declarations?${new URLSearchParams({ lead: id, sort: 'createdAt' })}`
    const colleague = await browser.newContext({ locale: 'sv-SE' })
    await signIn(colleague.request, admin)
    const theirs = await colleague.newPage()
    await open(theirs, path(lead.id))
    await open(page, path(lead.id))

    const words = `Ring efter klockan tre ${Date.now()}`
    await noteField(page).fill(words)
    await open(page, path(other.id))
    await expect(noteField(page)).toHaveValue('')
    await open(page, path(lead.id))
    await expect(noteField(page)).toHaveValue(words)
    await noteField(page).press('Control+Enter')
    await expect(noteField(page)).toHaveValue('')
    await expect(page.getByRole('listitem').filter({ hasText: words })).toBeVisible()
    await expect(theirs.getByRole('listitem').filter({ hasText: words })).toBeVisible()

    await page.getByRole('listitem').filter({ hasText: words }).hover()
    await page.getByRole('listitem').filter({ hasText: words }).getByRole('button').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Ta bort' }).click()
    await expect(page.getByText(words)).toHaveCount(0)
    await expect(theirs.getByText(words)).toHaveCount(0)
    await colleague.close()
  })

  test.describe('that cannot be saved', () => {
    test.use({ allowedError: /Failed to load resource/ })
    test('stay in the field', async ({ page, context }) => {
      await comeIn(context, staff)
      const [lead] = await declarations(context.request, 'limit=1&sort=createdAt')
      await open(page, `/declarations?${new URLSearchParams({ lead: lead?.id ?? '', sort: 'createdAt' })}`)
      await page.route('**/api/notes', (route) => route.abort())
      await noteField(page).fill('Försvinner inte')
      await noteField(page).press('Control+Enter')
      await expect(page.getByText('Anteckningen kunde inte sparas. Texten finns kvar. Försök igen.')).toBeVisible()
      await expect(noteField(page)).toHaveValue('Försvinner inte')
    })
  })
})

test.describe('writing to somebody', () => {
  test('begins from a template of one’s own language, filled in and encoded', async ({ page, context }) => {
    await comeIn(context, admin)
    const thisYear = new Date().getFullYear()
    const lead = (await declarations(context.request, `limit=500&year=${thisYear - 1}&year=${thisYear - 2}`)).find(
      ({ user }) => user.email !== null && user.firstName !== null,
    )
    if (lead === undefined) throw new Error('nobody is old enough')
    const { templates } = await read<TemplatesAnswer>(context.request, '/api/templates')
    const template = templates.find(({ language }) => language === 'sv')
    if (template === undefined) throw new Error('no template')
    const { highSchools } = await read<HighSchoolsAnswer>(context.request, '/api/high-schools')
    const school = highSchools.find(({ id }) => id === lead.highSchoolId)?.name ?? ''
    const fill = (text: string) =>
      text.replaceAll('{firstName}', lead.user.firstName ?? '').replaceAll('{school}', school)
    await open(page, `/declarations?${new URLSearchParams({ lead: lead.id })}`)
    await page.getByRole('button', { name: 'Mejla' }).first().click()
    const desk = page.getByRole('region', { name: 'Svar', exact: true })
    await desk.getByRole('button', { name: 'Välj mall' }).click()
    await page.getByRole('menuitem', { name: template.name, exact: true }).click()
    await expect(desk.getByRole('textbox', { name: 'Ämne' })).toHaveValue(fill(template.subject))
    await expect(desk.getByRole('textbox', { name: 'Svar' })).toHaveValue(fill(template.body))
    await expect(desk.getByText(lead.user.email ?? '')).toBeVisible()
    await expectAccessible(page)
  })

  test('under 16 is marked, and asks for a moment’s thought first', async ({ page, context }) => {
    await comeIn(context, admin)
    const year = new Date().getFullYear() + 1
    const lead = (await declarations(context.request, `limit=50&year=${year}`)).find(({ user }) => user.email !== null)
    await open(page, `/declarations?${new URLSearchParams({ lead: lead?.id ?? '' })}`)
    await expect(leadPane(page).getByText('Under 16').first()).toBeVisible()
    await page.getByRole('button', { name: 'Mejla' }).first().click()
    await expect(page.getByText('god marknadsföringssed')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Ämne' })).toHaveCount(0)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Fortsätt till mejlet' }).click()
    await expect(page.getByRole('textbox', { name: 'Svar' })).toBeFocused()
    await expectAccessible(page)
  })
})

test('who else has the lead open is seen, until they leave it', async ({ page, context, browser }) => {
  const colleague = await browser.newContext({ locale: 'sv-SE' })
  await comeIn(context, admin)
  await signIn(colleague.request, staff)
  const [lead] = await declarations(colleague.request, 'limit=1&sort=createdAt&offset=5')
  const path = `/declarations?${new URLSearchParams({ lead: lead?.id ?? '', sort: 'createdAt' })}`
  await open(page, path)
  const also = page.getByRole('status').filter({ hasText: 'tittar också' })
  await expect(also).toHaveCount(0)
  const theirs = await colleague.newPage()
  await open(theirs, path)
  await expect(also).toBeVisible()
  await expect(theirs.getByRole('status').filter({ hasText: 'tittar också' })).toBeVisible()
  await theirs.getByRole('button', { name: 'Stäng' }).click()
  await expect(also).toHaveCount(0)
  await colleague.close()
})

test.describe('on a phone', () => {
  test.use(PHONE)
  test('what is done with a lead lies along the lower edge', { tag: '@full' }, async ({ page, context }) => {
    await comeIn(context, staff)
    const [lead] = await declarations(context.request, 'limit=1&sort=createdAt&offset=3')
    await open(page, `/declarations?${new URLSearchParams({ lead: lead?.id ?? '', sort: 'createdAt' })}`)
    const bar = page.getByRole('group', { name: 'Åtgärder' })
    await expect(bar.getByRole('button', { name: 'Hanterad' })).toBeVisible()
    const box = await bar.boundingBox()
    expect(box?.y).toBeGreaterThan(844 - 120)
    await expectAccessible(page)
    await expectToFit(page)
  })
})
