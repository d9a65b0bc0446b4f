import type { Page } from '@playwright/test'
import { CHUNKS, expect, fetchNothingAhead, open, staff, statusOf, test } from './fixtures'
import { leadPane, openLeadId, press, rows, search, typeSearch } from './leads'

test.use({ as: staff })

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
    await open(page, '/declarations?status=new')
    await expect(rows(page).first()).toBeVisible()
    // Code can no longer be fetched, as without a network; what is on its way is not.
    await context.route(CHUNKS, (route) => route.abort())
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

    await typeSearch(page, 'anna')
    await expect(search(page)).toHaveValue('anna')
    await expect(rows(page).filter({ hasText: /anna/i }).first()).toBeVisible()
    await expect(page.locator('mark')).toHaveCount(0)

    await context.unroute(CHUNKS)
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(missing).toBeHidden()
    await search(page).fill('anna ')
    await expect(page.locator('mark').first()).toBeVisible()
  })

  test('without a network no link and no key leaves the desk; the page opens when the server is back', async ({
    page,
    context,
  }) => {
    await open(page, '/declarations')
    await expect(rows(page).first()).toBeVisible()
    await fetchedAhead(page)
    await context.setOffline(true)
    await page.getByRole('link', { name: /^Exporter/ }).click()
    await expect(page.getByText(/Ingen kontakt .* Sidan öppnas när/)).toBeVisible()
    await press(page, 'g q')
    await expect(rows(page).first()).toBeVisible()
    await expect(page).toHaveURL(/\/declarations/)
    await context.setOffline(false)
    await expect(page).toHaveURL(/\/questions/)
  })

  test('a server that answers with the error page of a proxy is waited for too', async ({ page, context }) => {
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
