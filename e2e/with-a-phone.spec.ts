import type { Page } from '@playwright/test'
import { daysAgo, expect, expectAccessible, expectUsable, holdBack, nextStart, PHONE, test } from './fixtures'
import { markedBar, noteField, openList, pressInListHeader, rows } from './leads'
import { body } from './reply-desk'

test.use({ ...PHONE, as: 'admin' })

/** Controls on screen that are lower than a thumb needs; words of a text that lead somewhere are let off (WCAG 2.5.8). */
const findLowControls = (page: Page) =>
  page.evaluate(() => {
    const found = document.querySelectorAll<HTMLElement>('main :is(button, a[href], summary, input, select, textarea)')
    return [...found].flatMap((element) => {
      const target = element.matches('[type=checkbox], [type=radio]') ? (element.closest('label') ?? element) : element
      const { height, width } = target.getBoundingClientRect()
      const isInline = getComputedStyle(target).display === 'inline'
      if (!target.checkVisibility() || isInline || width < 2 || height >= 43.5) return []
      return [`${Math.round(height)} px: ${target.textContent || element.getAttribute('aria-label')}`]
    })
  })

test('every control of a list, a lead and its answer is high enough', { tag: '@full' }, async ({ page }) => {
  await openList(page, `/questions?mode=email&status=new&to=${daysAgo(41)}`)
  expect(await findLowControls(page)).toEqual([])
  await rows(page).first().tap()
  await page.getByRole('group', { name: 'Åtgärder' }).getByRole('button', { name: 'Svara' }).tap()
  await expect(body(page)).toBeFocused()
  await body(page).fill('Välkommen!')
  await expect(page.getByRole('button', { name: /^Skicka och klar|^Öppna i e-post/ })).toBeVisible()
  await expectUsable(page)
  expect(await findLowControls(page)).toEqual([])
  await page.getByRole('button', { name: 'Anteckna' }).tap()
  await noteField(page).fill('Hej')
  expect(await findLowControls(page)).toEqual([])
})

test('leads are decided one by one, and back leads to the list', { tag: '@full' }, async ({ page }) => {
  await openList(page, `/declarations?status=new&year=${nextStart - 1}`)
  await rows(page).nth(2).tap()
  await expect(page).toHaveURL(/lead=/)
  const first = page.url()
  const bar = page.getByRole('group')
  const handled = bar.getByRole('button', { name: 'Markera hanterad' })
  await expect.poll(async () => (await handled.boundingBox())?.y).toBeGreaterThan(PHONE.viewport.height - 120)
  await bar.getByRole('button', { name: 'Nästa' }).tap()
  await expect(page).not.toHaveURL(first)
  await bar.getByRole('button', { name: 'Föregående' }).tap()
  await expect(page).toHaveURL(first)
  await handled.tap()
  await expect(page).not.toHaveURL(first)
  await expect(page).toHaveURL(/lead=/)
  await page.getByRole('button', { name: 'Ångra' }).tap()
  await expect(page).toHaveURL(first)
  await expect(page.getByText(/^Ångrat: /)).toBeVisible()
  await page.goBack()
  await expect(page).not.toHaveURL(/lead=/)
  await expect(rows(page).first()).toBeVisible()
})

test('leads are marked one by one', { tag: '@full' }, async ({ page }) => {
  await openList(page, `/declarations?status=new&to=${daysAgo(60)}`)
  const marked = markedBar(page)
  await pressInListHeader(page, 'Markera flera')
  await rows(page).nth(3).tap()
  await expect(marked).toContainText('1 markerat')
  await rows(page).nth(5).tap()
  await expect(marked).toContainText('2 markerade')
  await expectAccessible(page)
  await marked.getByRole('button', { name: 'Avmarkera' }).tap()
  await expect(marked).toBeHidden()
})

test('the rest of the menu is behind the last entry of the bar', { tag: '@full' }, async ({ page }) => {
  await openList(page, '/declarations')
  await page.getByRole('button', { name: 'Mer', exact: true }).tap()
  await expectAccessible(page)
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Väntar på svar' })).toBeVisible()
  const answer = await holdBack(page, /\/admin\?.*_rsc=/)
  await page.getByRole('link', { name: 'Administration' }).tap()
  await expect(page.getByRole('dialog'), 'one sees at once that something comes').toHaveCount(0)
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true')
  answer()
  await expect(page).toHaveURL(/\/admin$/)
})
