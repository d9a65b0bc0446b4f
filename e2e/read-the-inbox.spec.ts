import { admin, atRest, awake, daysAgo, expect, holdBack, open, staff, test } from './fixtures'
import { decide, expectStatus, leadStatus, openList, openMore, openRow, rows, search } from './leads'

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

test(
  'goes on where the browser has translated the page: each text in an element of its own',
  { tag: '@full' },
  async ({ page }) => {
    const translate = () =>
      page.evaluate(() => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
        const texts: Text[] = []
        while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode)
        for (const text of texts) {
          if (text.data.trim() === '' || text.parentElement?.closest('script, style, textarea, title, font')) continue
          const font = document.createElement('font')
          text.replaceWith(font)
          font.append(text.data)
        }
      })
    await openRow(page, `/declarations?status=new&to=${daysAgo(43)}`, 3)
    await expect(page.locator('html')).toHaveAttribute('translate', 'no')
    await translate()
    for (const top of [3_000, 9_000, 0]) {
      await page.getByRole('listbox').evaluate((list, at) => list.scrollTo(0, at), top)
      await expect(rows(page).first()).toBeVisible()
      await translate()
    }
    for (const key of ['j', 'k', 'p', 'z', 'e', 'z', 'x', 'Escape']) {
      await page.keyboard.press(key)
      await atRest(page)
      await translate()
    }
    await search(page).fill('an')
    await expect(rows(page).locator('mark').first()).toBeVisible()
    await translate()
    await search(page).fill('er')
    await expect(rows(page).locator('mark').first()).toHaveText(/^er$/i)
    await translate()
    await search(page).fill('')
    for (const name of ['I dag', 'Frågor']) {
      await page.getByRole('link', { name, exact: true }).first().click()
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
      await atRest(page)
      await translate()
    }
    await rows(page).first().click()
    await expect(page.locator('article h2').first()).toBeVisible()
    await translate()
    await page.keyboard.press('j')
    await atRest(page)
    await expect(page.locator('article h2').first()).toBeVisible()
  },
)
