import type { BrowserContext, Page } from '@playwright/test'
import {
  CHUNKS,
  comeIn,
  expect,
  fetchNothingAhead,
  leadPane,
  nextStart,
  open,
  openLeadId,
  rows,
  staff,
  statusOf,
  test,
} from './fixtures'

/** Code can no longer be fetched, as without a network; what is on its way is not. */
async function cutOffCode(context: BrowserContext): Promise<() => Promise<void>> {
  await context.route(CHUNKS, (route) => route.abort())
  return () => context.unroute(CHUNKS)
}

/** Waits until all is fetched ahead: one part after the other, each when the browser is at rest, from the first move on. */
async function fetchedAhead(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await page.mouse.move(5, 5)
  // Within the page, whose idle moments come in the order in which they were asked for.
  await page.evaluate(async () => {
    const scripts = () => [...document.scripts].filter(({ src, noModule }) => src.includes('/chunks/') && !noModule)
    const isHere = ({ src }: HTMLScriptElement) => performance.getEntriesByName(src).length > 0
    for (let [known, quiet] = [0, 0]; quiet < 5;) {
      await new Promise((resolve) => requestIdleCallback(resolve))
      const now = scripts()
      quiet = now.length === known && now.every(isHere) ? quiet + 1 : 0
      known = now.length
    }
  })
}

test.describe('parts that cannot be fetched', () => {
  test.use({ allowedError: /Failed to load resource|ERR_/ })

  test('say so, leave the rest alone, and come without a reload once they can be had', async ({ page, context }) => {
    await fetchNothingAhead(page)
    await comeIn(context, staff)
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
    await comeIn(context, staff)
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
    await comeIn(context, staff)
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
    await comeIn(context, staff)
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
