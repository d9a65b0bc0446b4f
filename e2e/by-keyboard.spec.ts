import type { Locator } from '@playwright/test'
import { ready, daysAgo, expect, expectAccessible, open, test, yesterday } from './fixtures'
import { clickRow, cursor, expectStatus, leadPane, openFirst, openLeadId, openList, openRow, search } from './leads'
import { fromAccountMenu } from './reply-desk'

const DECLARATIONS = 'declarations-of-interest'

test.use({ as: 'staff' })

test('? and a button list the keys, and letters can be switched off for good', { tag: '@full' }, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  const id = await openRow(page, `/declarations?status=new&to=${daysAgo(37)}`, 4)
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Kortkommandon' })
  await expect(help.getByRole('link').last()).toBeInViewport({ ratio: 1 })
  await expect(help.getByText('Markera hanterad', { exact: true })).toBeVisible()
  await expectAccessible(page)
  const letters = page.getByRole('checkbox', { name: /^Enstaka bokstäver/ })
  await letters.uncheck()
  await expect(help.getByText('Markera hanterad', { exact: true })).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
  await page.reload()
  await ready(page)
  await page.keyboard.type('e?')
  await expect(help).toBeHidden()
  await fromAccountMenu(page, 'Kortkommandon')
  await expect(letters).not.toBeChecked()
  await letters.check()
  await page.keyboard.press('Escape')
  expect(openLeadId(page)).toBe(id)
  await expectStatus(page, DECLARATIONS, id, 'new')
})

test.describe('the focus', () => {
  test.use({ as: 'admin' })

  test('is shown at the cursor with keys alone, and stays in sight', { tag: '@full' }, async ({ page }) => {
    await openList(page, `/declarations?to=${yesterday}`)
    const ring = (selector: string) =>
      page.locator(selector).evaluate((element) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(element)
        return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth)
      })
    for (let place = 2; place <= 11; place++) {
      await page.keyboard.press('j')
      await expect(cursor(page)).toHaveAttribute('aria-posinset', String(place))
    }
    await expect(page.getByRole('listbox')).toBeFocused()
    expect(await ring('[data-cursor=true]')).toBe(2)
    expect(await ring('[role=listbox]')).toBe(0)
    await page.mouse.click(10, 10)
    await clickRow(page, 3)
    await expect(cursor(page)).toHaveAttribute('aria-posinset', '4')
    expect(await ring('[data-cursor=true]')).toBeLessThan(2)
    const list = page.getByRole('listbox')
    await list.evaluate((box) => box.scrollTo(0, 5_000))
    await expect(cursor(page)).not.toBeInViewport()
    await search(page).focus()
    for (let times = 0; times < 9 && !(await list.evaluate((box) => box.matches(':focus'))); times++)
      await page.keyboard.press('Tab')
    await expect(cursor(page), 'Tab came to the list').toBeInViewport()
    expect(await ring('[data-cursor=true]')).toBe(2)
  })

  test('comes back after whatever was open', async ({ page }) => {
    await openList(page, '/declarations')
    const opened = page.locator('dialog[open], [popover=auto]:popover-open')
    const openAndLeave = async (opener: Locator, key: string) => {
      await opener.press(key)
      await expect(opened).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(opened).toBeHidden()
      await expect(opener).toBeFocused()
    }
    for (const key of ['Control+k', '?', 'a']) await openAndLeave(page.getByRole('listbox'), key)
    for (const name of [/^Filter$/, /^Alla mina skolor/, /Anna Berg/])
      await openAndLeave(page.getByRole('button', { name }).filter({ visible: true }).first(), 'Enter')
  })

  test('comes back when a lead closes, and goes along to another screen', { tag: '@full' }, async ({ page }) => {
    await open(page, '/declarations')
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await openFirst(page)
      await leadPane(page).getByRole('button', { name: 'Anteckna' }).focus()
      await page.keyboard.press('Escape')
      await expect(page).not.toHaveURL(/lead=/)
      await expect(page.getByRole('listbox')).toBeFocused()
    }
    await page.setViewportSize({ width: 1440, height: 844 })
    await page.getByRole('link', { name: 'Intresse per år' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: /^Intresse/ })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
  })
})
