import type { BrowserContext, Page } from '@playwright/test'
import {
  admin,
  CHUNKS,
  DEMO,
  expect,
  fetchNothingAhead,
  leadPane,
  nextStart,
  open,
  openLeadId,
  rows,
  signIn,
  staff,
  statusOf,
  test,
} from './fixtures'

/** Code can no longer be fetched, as without a network; what is on its way is not. */
async function cutOffCode(context: BrowserContext): Promise<() => Promise<void>> {
  await context.route(CHUNKS, (route) => route.abort())
  return () => context.unroute(CHUNKS)
}

/** Waits until nothing more is fetched ahead, which begins when somebody is about to do something. */
async function fetchedAhead(page: Page): Promise<void> {
  await page.mouse.move(5, 5)
  const count = () => page.evaluate(() => performance.getEntriesByType('resource').length)
  await expect(async () => {
    const before = await count()
    await page.waitForTimeout(1_500)
    expect(await count()).toBe(before)
  }).toPass()
}

test('Escape out of a menu that was opened by mouse leaves the screen whole, and shows no tooltip', async ({
  page,
  context,
}) => {
  await signIn(context.request, staff)
  await open(page, '/declarations')
  await rows(page).nth(2).hover()
  await rows(page).nth(2).locator('[data-mark]').click()
  await page.getByRole('button', { name: 'Mer', exact: true }).click()
  await expect(page.getByRole('menu', { name: 'Mer' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu', { name: 'Mer' })).toBeHidden()
  await expect(page.locator('[popover=manual]:popover-open')).toHaveCount(0)
  await expect(rows(page).first()).toBeVisible()
})

test.describe('parts that cannot be fetched', () => {
  test.use({ allowedError: /Failed to load resource|ERR_/ })

  test('say so, leave the rest alone, and come without a reload once they can be had', async ({ page, context }) => {
    await fetchNothingAhead(page)
    await signIn(context.request, staff)
    await open(page, '/declarations?status=new')
    await expect(rows(page).first()).toBeVisible()
    const restore = await cutOffCode(context)
    // The menu's own parts may be among what cannot be fetched.
    const missing = leadPane(page).getByText('Den här delen kunde inte hämtas.')

    await page.keyboard.press('Control+k')
    await expect(page.getByRole('alertdialog')).toContainText('Den här delen kunde inte hämtas.')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alertdialog')).toBeHidden()

    // A lead's own pane says it; the list goes on.
    await rows(page).first().click()
    await expect(missing).toBeVisible()
    const id = openLeadId(page)
    await page.keyboard.press('e')
    await expect(page.getByText('Ändringen kan inte göras nu.')).toBeVisible()
    expect(await statusOf(page.request, 'declarations-of-interest', id)).toBe('new')

    await page.keyboard.press('/')
    await page.keyboard.type('anna')
    await expect(page.getByRole('searchbox')).toHaveValue('anna')
    await expect(rows(page).filter({ hasText: /anna/i }).first()).toBeVisible()
    await expect(page.locator('mark')).toHaveCount(0)

    await restore()
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(missing).toBeHidden()
    await page.getByRole('searchbox').fill('anna ')
    await expect(page.locator('mark').first()).toBeVisible()
  })

  test('a decision offline is shown, waits, and is sent when the network is back', async ({ page, context }) => {
    await signIn(context.request, staff)
    // Leads that no other test decides about at the same time.
    await open(page, `/declarations?status=new&sort=createdAt&year=${nextStart + 1}`)
    await rows(page).nth(3).click()
    const id = openLeadId(page)
    // Deciding once brings the code that decides.
    await page.keyboard.press('e')
    await expect(page).not.toHaveURL(new RegExp(`lead=${id}`))
    await page.keyboard.press('z')
    await expect(page).toHaveURL(new RegExp(`lead=${id}`))
    await expect.poll(() => statusOf(page.request, 'declarations-of-interest', id)).toBe('new')
    await context.setOffline(true)
    // The page hears of it a moment later.
    await expect(page.getByText(/^Kontakten med Intag är bruten/)).toBeVisible()
    await page.keyboard.press('e')
    await expect(page.getByText(/när nätet är tillbaka/)).toBeVisible()
    await context.setOffline(false)
    const status = () => statusOf(page.request, 'declarations-of-interest', id)
    await expect.poll(status).toBe('handled')
    await page.keyboard.press('z')
    await expect.poll(status).toBe('new')
  })

  test('without a network no link and no key leaves the desk; the page opens when the server is back', async ({
    page,
    context,
  }) => {
    await signIn(context.request, staff)
    await open(page, '/declarations')
    await expect(rows(page).first()).toBeVisible()
    await fetchedAhead(page)
    await context.setOffline(true)
    await page.getByRole('link', { name: /^Exporter/ }).click()
    await expect(page.getByText(/Ingen kontakt .* Sidan öppnas när/)).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('q')
    await expect(rows(page).first()).toBeVisible()
    await expect(page).toHaveURL(/\/declarations/)
    await context.setOffline(false)
    await expect(page).toHaveURL(/\/questions/)
  })

  test('a server that answers with the error page of a proxy is waited for too', async ({ page, context }) => {
    await signIn(context.request, staff)
    await context.route('**/api/events', (route) => route.abort())
    await context.route('**/api/health', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
    await open(page, '/declarations')
    await expect(rows(page).first()).toBeVisible()
    await page.getByRole('link', { name: /^Frågor/ }).click()
    await expect(page.getByText(/Ingen kontakt .* Sidan öppnas när/)).toBeVisible()
    await expect(page).toHaveURL(/\/declarations/)
    await context.unroute('**/api/health')
    await expect(page).toHaveURL(/\/questions/)
  })
})

test('what is typed while the palette opens goes into its field', async ({ page, context }) => {
  await fetchNothingAhead(page)
  await signIn(context.request, staff)
  await open(page, '/declarations?status=new')
  await rows(page).nth(4).click()
  const id = openLeadId(page)
  await page.route(CHUNKS, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400))
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('expu')
  await expect(page.getByRole('combobox')).toHaveValue('expu')
  await page.keyboard.type('z')
  await expect(page.getByRole('combobox')).toHaveValue('expuz')
  expect(await statusOf(page.request, 'declarations-of-interest', id)).toBe('new')
})

test('what is typed while a dialog opens finds the colleague', async ({ page, context }) => {
  await signIn(context.request, admin)
  const headers = { origin: DEMO }
  const made: string[] = []
  for (const name of ['Kajsa Ek', 'Karin Lund', 'Bo Ask', 'Ola Dahl', 'Pia Ros', 'Eva Gran'])
    made.push(
      (
        await (
          await context.request.post('/api/users', {
            headers,
            data: { name, email: `${crypto.randomUUID()}@skola.example`, role: 'staff', schools: 'all' },
          })
        ).json()
      ).id,
    )
  await fetchNothingAhead(page)
  await open(page, '/declarations?status=new')
  await rows(page).nth(5).click()
  const id = openLeadId(page)
  await page.keyboard.press('a')
  await page.keyboard.type('kaj')
  await expect(page.getByRole('dialog').getByRole('searchbox')).toHaveValue('kaj')
  await expect(
    page
      .getByRole('dialog')
      .getByRole('button', { name: /Kajsa Ek/ })
      .first(),
  ).toBeVisible()
  expect(await statusOf(page.request, 'declarations-of-interest', id)).toBe('new')
  for (const user of made) await context.request.patch(`/api/users/${user}`, { headers, data: { disabled: true } })
})

test('the palette finds a person and what was sent, in both lists, with what matched marked', async ({
  page,
  context,
}) => {
  await signIn(context.request, staff)
  const { declarationsOfInterest } = await (await context.request.get('/api/declarations-of-interest?limit=200')).json()
  const { user, contactId } = declarationsOfInterest.find(
    (item: { user: { firstName: string | null; lastName: string | null } }) =>
      item.user.firstName && item.user.lastName,
  )
  const name = `${user.firstName} ${user.lastName}`
  await open(page, '/declarations')
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox')
  await field.fill(name)
  const people = page.getByRole('group', { name: 'Personer' })
  await expect(people.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await expect(people.locator('mark').first()).toBeVisible()
  await expect(page.getByRole('group', { name: 'Intresseanmälningar' }).getByRole('option').first()).toBeVisible()
  await field.fill('öppet hus')
  await expect(page.getByRole('group', { name: 'Frågor' }).locator('mark').first()).toBeVisible()

  // Enter at once, before the answer is here, opens the first of this text and not of the last.
  await field.fill(user.email ?? name)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/contacts\//)
  if (user.email) await expect(page).toHaveURL(new RegExp(encodeURIComponent(contactId)))
})

test('the palette takes a search to the list, outside the address', async ({ page, context }) => {
  await signIn(context.request, staff)
  await open(page, '/declarations')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('anna')
  await page.getByRole('option', { name: /Sök i Frågor efter/ }).click()
  await expect(page).toHaveURL(/\/questions$/)
  await expect(page.getByRole('searchbox')).toHaveValue('anna')
})

test('whoever may only count finds commands in the palette and nobody by name', async ({ page, context }) => {
  await signIn(context.request, { email: 'manager@demo.test', password: 'demo' })
  await open(page, '/interest')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('åsa öberg')
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText('Inga träffar')
  expect(asked.filter((url) => /asked-questions|declarations-of-interest/.test(url))).toEqual([])
})

test('help has a button, and signs for the keys of this machine', async ({ page, context }) => {
  await signIn(context.request, staff)
  await open(page, '/declarations')
  await page.getByRole('button', { name: 'Kortkommandon' }).click()
  const help = page.getByRole('dialog', { name: 'Kortkommandon' })
  await expect(help.getByText('Ctrl', { exact: true }).first()).toBeVisible()
  await expect(help.getByText('⌘')).toHaveCount(0)
})
