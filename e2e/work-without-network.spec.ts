import type { Page } from '@playwright/test'
import { CHUNKS, disablePrefetch, expect, test } from './fixtures'
import { expectStatus, leadPane, openLeadId, openList, press, rows } from './leads'

test.use({ as: 'staff' })

/** Parts are prefetched one after the other while the browser is idle, from the first mouse move on. */
async function fetchedAhead(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await page.mouse.move(5, 5)
  // In the page: idle callbacks run in the order in which they were requested.
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

test.beforeEach(({ allowError }) => allowError(/Failed to load|ERR_/))

test('a part that cannot be fetched says so, and comes later without a reload', async ({ page, context }) => {
  await disablePrefetch(page)
  await openList(page, '/declarations?status=new')
  await context.route(CHUNKS, (route) => route.abort())
  // The menu's parts may be missing, too.
  const missing = leadPane(page).getByText('Den här delen kunde inte hämtas.')

  // On a busy machine a key may come before the page listens.
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('alertdialog')).toContainText('Den här delen kunde inte hämtas.', { timeout: 2_000 })
  }).toPass()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toBeHidden()

  await rows(page).first().click()
  await expect(page).toHaveURL(/lead=/)
  await expect(leadPane(page).getByRole('heading', { level: 2 }), 'what is read is there').toBeVisible()
  await expect(missing.first()).toBeVisible()
  const id = openLeadId(page)
  await page.keyboard.press('e')
  await expectStatus(page, 'declarations-of-interest', id, 'handled')
  await page.keyboard.press('z')
  await expectStatus(page, 'declarations-of-interest', id, 'new')

  await context.unroute(CHUNKS)
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Escape')
  // A part that was being fetched meanwhile fails after the first event, and waits for the next.
  const countMissing = async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    return missing.count()
  }
  await expect.poll(countMissing).toBe(0)
})

test('offline no link or key leaves the desk; the page opens later', async ({ page, context }) => {
  await openList(page, '/declarations')
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
