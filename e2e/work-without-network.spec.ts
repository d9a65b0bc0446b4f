import { CHUNKS, disablePrefetch, expect, test } from './fixtures'
import { expectStatus, leadPane, openLeadId, openList, press, rows } from './leads'

test.use({ as: 'staff' })

test.beforeEach(({ allowError }) => allowError(/Failed to load|ERR_/))

test('a part that cannot be fetched says so, and comes when it is asked for again', async ({ page, context }) => {
  await disablePrefetch(page)
  await openList(page, '/declarations?status=new')
  await context.route(CHUNKS, (route) => route.abort())
  // The menu's parts may be missing, too.
  const missing = leadPane(page).getByText('Det gick inte att hämta.')
  const failure = page.getByRole('dialog', { name: 'Det gick inte att hämta.' })
  // On a busy machine a key may come before the page listens.
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(failure).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await page.keyboard.press('Escape')
  await expect(failure).toBeHidden()

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
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Escape')
  // A part that was being fetched meanwhile fails a moment later.
  await expect(async () => {
    const again = leadPane(page).getByRole('button', { name: 'Försök igen' })
    if ((await again.count()) > 0) await again.first().click({ timeout: 1_000 })
    await expect(missing).toHaveCount(0, { timeout: 1_000 })
  }).toPass()
})

test('offline no link or key leaves the desk, and a notice says why', async ({ page, context }) => {
  await openList(page, '/declarations')
  await expect(page.getByRole('region', { name: 'Meddelanden' })).toBeAttached()
  await context.setOffline(true)
  await page.getByRole('link', { name: /^Exporter/ }).click()
  await expect(page.getByText('Ingen kontakt med Intag. Försök igen när nätet är tillbaka.')).toBeVisible()
  await press(page, 'g q')
  await expect(rows(page).first()).toBeVisible()
  await expect(page).toHaveURL(/\/declarations/)
  await context.setOffline(false)
  await press(page, 'g q')
  await expect(page).toHaveURL(/\/questions/)
})
