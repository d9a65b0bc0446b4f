import { ready, changeAnswers, daysAgo, expect, expectAccessible, holdBack, open, test, yesterday } from './fixtures'
import { declarations, expectStatus, leadStatus, openFilter, openList, openMore, openRow, rows } from './leads'

test.use({ as: 'staff' })

test('leads since the last visit are set apart, and shown alone by one press', async ({ page }) => {
  const freshSince = (await declarations(page.request, `limit=4&to=${yesterday}`))[3]?.createdAt
  await changeAnswers(page, '**/api/list-counts', (counts: object) => ({ ...counts, fresh: 3, freshSince }))
  await open(page, `/declarations?status=new&to=${yesterday}`)
  await page.getByRole('button', { name: 'Ta bort filtret Status: Ny' }).click()
  const list = page.getByRole('listbox')
  await expect(list.getByText(/^Nytt sedan /)).toBeVisible()
  await expect(list.getByText('Tidigare', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await openFilter(page, 'Status')
  await page.getByRole('checkbox', { name: /^Nytt sedan sist\s*3$/ }).check()
  await expect(page).toHaveURL(/fresh=1/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Ta bort filtret Nytt sedan sist' })).toBeVisible()
})

test('a list is called empty neither on its way nor when it fails', { tag: '@full' }, async ({ page, allowError }) => {
  allowError(/400/)
  const nothing = page.getByText('Inga träffar', { exact: true })
  const letRowsIn = await holdBack(page, /\/api\/asked-questions\?(?!.*from=)/)
  await open(page, '/questions?school=norra-gymnasiet&from=1999-01-01&to=1999-01-02')
  await expect(nothing).toBeVisible()
  await page.keyboard.press('c')
  await expect(page).not.toHaveURL(/from=/)
  await expect(page, 'the school is chosen for every screen').toHaveURL(/school=norra-gymnasiet/)
  await expect(nothing).toHaveCount(0)
  await expect(page.locator('.list-pane').getByText('Hämtar …')).toBeAttached()
  letRowsIn()
  await expect(rows(page).first()).toBeVisible()
  await page.route('**/api/asked-questions?*', (route) => route.fulfill({ status: 400, json: { error: 'no' } }))
  await page.getByRole('searchbox').fill('buss')
  await expect(page.getByText('Listan gick inte att hämta')).toBeVisible()
})

test('the lead that the server has drawn stays on screen while its code is loaded', async ({ page }) => {
  await page.addInitScript(() => {
    const losses: number[] = []
    let wasThere = false
    const look = (now: number) => {
      const isThere = document.querySelector('.lead-pane h2') !== null
      if (wasThere && !isThere) losses.push(now)
      wasThere = isThere
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    Object.assign(window, { losses })
  })
  await open(page, '/questions')
  await expect(page.getByRole('button', { name: 'Anteckna' })).toBeVisible()
  expect(await page.evaluate(() => Object(window).losses)).toEqual([])
})

test('opening a lead changes no status, and a reload keeps its place; the menu decides', async ({ page }) => {
  const id = await openRow(page, `/declarations?status=new&to=${daysAgo(36)}`, 3)
  const address = page.url()
  await page.reload()
  await ready(page)
  expect(page.url()).toBe(address)
  await expect(leadStatus(page, 'new')).toBeVisible()
  await expectStatus(page, 'declarations-of-interest', id, 'new')
  await openMore(page)
  await page.getByRole('button', { name: /^Status: Ny. Ändra/ }).click()
  await page.getByRole('menuitemradio', { name: 'Hanterad' }).click()
  await expectStatus(page, 'declarations-of-interest', id, 'handled')
  await page.keyboard.press('z')
  await expectStatus(page, 'declarations-of-interest', id, 'new')
})

test.describe('an administrator', () => {
  test.use({ as: 'admin' })

  test('can reach the whole list: the last of thousands of rows is there', async ({ page }) => {
    await openList(page, '/declarations?sort=createdAt')
    await page.getByRole('listbox').evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
    const size = Number(await rows(page).first().getAttribute('aria-setsize'))
    expect(size).toBeGreaterThan(14_000)
    await expect(page.locator(`[role=option][aria-posinset="${size}"]`)).toContainText(/i dag|\d/)
  })

  test('has rows in the first HTML, and keeps the old screen and the school on the way', async ({ page }) => {
    const path = '/declarations?school=norra-gymnasiet'
    const html = await (await page.request.get(path)).text()
    expect(html.slice(0, html.indexOf('</main>'))).toContain('id="row-0"')
    await open(page, path)
    const answer = await holdBack(page, /\/questions\?.*_rsc=/)
    await page.locator('a.nav-side[href^="/questions"]').click()
    await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true')
    await expect(rows(page).first()).toContainText('Norra Gymnasiet')
    answer()
    await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'false')
    await expect(page).toHaveURL(/\/questions\?.*school=norra-gymnasiet/)
    await expect(rows(page).first()).toContainText('Norra Gymnasiet')
  })
})
