import { admin, awake, daysAgo, expect, holdBack, open, staff, test } from './fixtures'
import { decide, declarations, expectStatus, leadStatus, openList, openMore, openRow, rows } from './leads'

test.use({ as: staff })

test('an open lead shows everything that was sent, and reload and back keep the place', async ({ page }) => {
  // Old enough to be written to without a confirmation.
  await openRow(page, `/declarations?year=${new Date().getFullYear() - 1}`, 0)
  const mail = page.getByRole('main').getByRole('button', { name: 'Mejla' })
  await expect(mail).toBeVisible()
  const address = page.url()
  await page.reload()
  await awake(page)
  await expect(mail).toBeVisible()
  expect(page.url()).toBe(address)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/lead=/)
})

test('a lead that is not where the server has told is not sought there for ever', async ({ page }) => {
  const filter = 'earlier=false&snoozed=false&sort=-createdAt'
  const [far] = await declarations(page.request, `${filter}&offset=300&limit=1`)
  let place = 120
  await page.route(/[?&]place=/, async (route) => {
    const response = await route.fetch()
    const answer: unknown = await response.json()
    await route.fulfill({ response, json: { ...Object(answer), place } })
  })
  await open(page, `/declarations?lead=${far?.id}`)
  await expect(page.locator('[role=option][aria-posinset="121"]')).toBeVisible()
  // The list follows a lead only once, so this place is out of sight.
  place = 420
  const told = page.waitForResponse(/offset=400\b/)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await told
  const changes = await page.getByRole('listbox').evaluate((list) => {
    let count = 0
    const observer = new MutationObserver((records) => (count += records.length))
    observer.observe(list, { attributes: true, childList: true, subtree: true })
    return new Promise<number>((resolve) => setTimeout(() => resolve(count), 1_000))
  })
  expect(changes, 'the list is at rest').toBeLessThan(50)
  await expect(page.getByRole('main').getByRole('heading', { name: far?.user.lastName ?? '' })).toBeVisible()
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

test('opening a lead changes no status; the menu does', async ({ page }) => {
  const id = await openRow(page, `/declarations?status=new&to=${daysAgo(36)}`, 3)
  await expect(leadStatus(page, 'new')).toBeVisible()
  await expectStatus(page, 'declarations-of-interest', id, 'new')
  await openMore(page)
  await page.getByRole('button', { name: /^Status: Ny. Ändra/ }).click()
  await page.getByRole('menuitemradio', { name: 'Hanterad' }).click()
  await expectStatus(page, 'declarations-of-interest', id, 'handled')
  await decide(page.request, 'declarations-of-interest', id, { status: 'new' })
})

test.describe('an administrator', () => {
  test.use({ as: admin })

  test('can reach the whole list: the last of thousands of rows is there', async ({ page }) => {
    await openList(page, '/declarations?sort=createdAt')
    await page.getByRole('listbox').evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
    const size = Number(await rows(page).first().getAttribute('aria-setsize'))
    expect(size).toBeGreaterThan(14_000)
    await expect(page.locator(`[role=option][aria-posinset="${size}"]`)).toContainText(/i dag|\d/)
  })

  test('picks a school for both lists, and keeps it on the way between them', async ({ page }) => {
    await open(page, '/declarations?school=norra-gymnasiet')
    await expect(rows(page).first()).toContainText('Norra Gymnasiet')
    await page.locator('a.nav-side[href^="/questions"]').click()
    await expect(page).toHaveURL(/\/questions\?.*school=norra-gymnasiet/)
    await expect(rows(page).first()).toContainText('Norra Gymnasiet')
  })

  test('has rows in the first HTML, and keeps the old screen, busy, until the next', async ({ page, context }) => {
    const html = await (await context.request.get('/declarations')).text()
    expect(html.slice(0, html.indexOf('</main>'))).toContain('id="row-0"')
    await open(page, '/declarations')
    const answer = await holdBack(page, /\/questions\?.*_rsc=/)
    await page.locator('a.nav-side[href^="/questions"]').click()
    await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true')
    await expect(rows(page).first()).toBeVisible()
    answer()
    await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'false')
    await expect(page).toHaveURL(/\/questions/)
  })
})
