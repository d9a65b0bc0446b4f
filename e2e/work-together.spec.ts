import type { Browser, Page } from '@playwright/test'
import { admin, awake, comeIn, DEMO, expect, open, openLeadId, staff, statusOf, test } from './fixtures'

const KIND = 'declaration-of-interest'
const LIST = 'declarations-of-interest'

/** A second person at a desk of their own. */
async function colleague(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'sv-SE' })
  await comeIn(context, admin)
  return context.newPage()
}

async function someLead(page: Page, offset: number): Promise<string> {
  const path = `${DEMO}/api/declarations-of-interest?status=new&sort=createdAt&limit=1&offset=${offset}`
  return (await (await page.context().request.get(path)).json()).declarationsOfInterest[0].id
}

async function decide(page: Page, id: string, status: string): Promise<void> {
  const answer = await page.context().request.patch(`${DEMO}/api/triage`, {
    headers: { origin: DEMO },
    data: { leads: [{ kind: KIND, id }], status, assignee: 'none' },
  })
  expect(answer.status()).toBe(200)
}

test('what one decides, the other sees at once', async ({ page, context, browser }) => {
  await comeIn(context, staff)
  const id = await someLead(page, 40)
  const other = await colleague(browser)
  await open(other, `/declarations?sort=createdAt&lead=${encodeURIComponent(id)}`)
  await open(page, `/declarations?sort=createdAt&lead=${encodeURIComponent(id)}`)
  await expect(other.getByRole('button', { name: /^Status: Ny/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Status: Ny/ })).toBeVisible()
  await decide(page, id, 'handled')
  await expect(other.getByRole('button', { name: /^Status: Hanterad/ })).toBeVisible()
  await decide(page, id, 'new')
  await expect(other.getByRole('button', { name: /^Status: Ny/ })).toBeVisible()
  await other.context().close()
})

test('who comes second is told, and the first decision stands', async ({ page, context, browser }) => {
  await comeIn(context, staff)
  const id = await someLead(page, 60)
  const other = await colleague(browser)
  // No news reach this one: the stream neither opens nor fails.
  await other.route('**/api/events', () => {})
  // Nor does it hear by asking for itself, as it does without a stream.
  await other.route('**/api/declarations-of-interest*', () => {})
  await open(other, `/declarations?sort=createdAt&lead=${encodeURIComponent(id)}`)
  await expect(other.getByRole('button', { name: /^Status: Ny/ })).toBeVisible()
  await decide(page, id, 'handled')
  await other.keyboard.press('p')
  await expect(other.getByText(/^Sara Lindqvist hann före: .* är hanterad\.$/)).toBeVisible()
  expect(await statusOf(page.request, LIST, id)).toBe('handled')
  await decide(page, id, 'new')
  await other.context().close()
})

test('a decision that the server refuses is put back and said', async ({ browser }) => {
  const other = await colleague(browser)
  await other.route('**/api/triage', (route) => route.fulfill({ status: 409, json: { error: 'Conflict' } }))
  await open(other, '/declarations?status=new&sort=createdAt')
  await other.locator('#row-4').click()
  await expect(other).toHaveURL(/lead=/)
  const id = openLeadId(other)
  await other.getByRole('button', { name: /^Status: Ny\. Ändra/ }).click()
  await other.getByRole('menuitemradio', { name: 'Hanterad' }).click()
  await expect(other.getByText(/kunde inte sparas/)).toBeVisible()
  await expect(other.getByRole('button', { name: 'Ångra' }), 'there is nothing to undo').toBeHidden()
  await expect(other.locator('#row-4').getByRole('img', { name: 'Ny' })).toHaveCount(1)
  expect(await statusOf(other.request, LIST, id)).toBe('new')
  await other.context().close()
})

test.describe('without a network', () => {
  test.use({ allowedError: /ERR_INTERNET_DISCONNECTED/ })

  test('one works on, is told so, and everything is saved once it is back', async ({ page, context }) => {
    await comeIn(context, staff)
    await open(page, '/declarations?status=new&sort=createdAt')
    await page.locator('#row-8').click()
    const ids: string[] = []
    await expect(page.getByRole('button', { name: /^Status: Ny\. Ändra/ })).toBeVisible()
    await context.setOffline(true)
    await expect(page.getByText(/^Kontakten med Intag är bruten/)).toBeVisible()
    for (const key of ['e', 'p']) {
      const id = openLeadId(page)
      ids.push(id)
      await page.keyboard.press(key)
      // Whoever takes a lead stays with it.
      if (key === 'e') await page.waitForURL((url) => url.searchParams.get('lead') !== id)
      else await expect(page.getByRole('button', { name: /^Status: Pågår/ })).toBeVisible()
      await expect(page.getByText(/Sparas när nätet är tillbaka/)).toBeVisible()
    }
    const [first = '', second = ''] = ids
    expect(await statusOf(page.request, LIST, first)).toBe('new')
    await context.setOffline(false)
    await expect(async () => expect(await statusOf(page.request, LIST, first)).toBe('handled')).toPass()
    await expect(async () => expect(await statusOf(page.request, LIST, second)).toBe('in-progress')).toPass()
    await expect(page.getByText(/^Kontakten med Intag är bruten/)).toBeHidden()
    for (const id of ids) await decide(page, id, 'new')
  })
})

test.describe('when the session has ended', () => {
  test.use({ allowedError: /status of 401/ })

  test('the way back leads to the lead whose decision could not be saved', async ({ page, context }) => {
    await comeIn(context, staff)
    await open(page, '/declarations?status=new&sort=createdAt')
    await page.locator('#row-12').click()
    await expect(page.getByRole('button', { name: /^Status: Ny\. Ändra/ })).toBeVisible()
    const id = openLeadId(page)
    await context.clearCookies()
    await page.keyboard.press('e')
    const again = page.getByRole('dialog').getByRole('link', { name: 'Logga in igen' })
    await expect(again).toHaveAttribute('href', new RegExp(`lead%3D${id}`))
    await again.click()
    await expect(page).toHaveURL(/\/signin/)
    await awake(page)
    await page.getByRole('textbox', { name: 'E-post' }).fill(staff.email)
    await page.getByLabel('Lösenord', { exact: true }).fill(staff.password)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: /^Status: Ny\. Ändra/ })).toBeVisible()
    expect(openLeadId(page)).toBe(id)
  })
})
