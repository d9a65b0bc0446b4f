import type { Page } from '@playwright/test'
import { admin, expect, open, openFirstByKeys, rows, signIn, test, yesterday } from './fixtures'

test.describe('the focus', () => {
  test('is shown on the row of the cursor while keys are used, and not after a press of the mouse', async ({
    page,
    context,
  }) => {
    await signIn(context.request, admin)
    await open(page, `/declarations?to=${yesterday}`)
    await expect(rows(page).first()).toBeVisible()
    await page.keyboard.press('j')
    const ring = (selector: string) =>
      page.locator(selector).evaluate((element) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(element)
        return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth)
      })
    await expect(page.getByRole('listbox')).toBeFocused()
    expect(await ring('[data-cursor=true]')).toBe(2)
    expect(await ring('[role=listbox]')).toBe(0)
    await page.mouse.click(10, 10)
    await rows(page).nth(3).click()
    await expect(page.locator('[data-cursor=true]')).toHaveAttribute('aria-posinset', '4')
    expect(await ring('[data-cursor=true]')).toBeLessThan(2)
  })

  /** Each opens something with a key or a press; Escape closes it, and the focus is where it was. */
  const OPENED: { name: string; path: string; begin: (page: Page) => Promise<void> }[] = [
    { name: 'the palette', path: '/declarations', begin: (page) => page.keyboard.press('Control+k') },
    { name: 'the help', path: '/declarations', begin: (page) => page.keyboard.press('?') },
    { name: 'the export', path: '/declarations', begin: pressed('Exportera') },
    { name: 'the choice of an assignee', path: '/declarations', begin: (page) => page.keyboard.press('a') },
    { name: 'the order', path: '/declarations', begin: pressed(/^Sortera/) },
    { name: 'a filter', path: '/declarations', begin: pressed('Status') },
    { name: 'the schools', path: '/declarations', begin: pressed(/^Alla mina skolor/) },
    { name: 'the account', path: '/declarations', begin: pressed(/Anna Berg/) },
    { name: 'a new user', path: '/admin/users', begin: pressed('Lägg till') },
  ]
  test('comes back after whatever was open', async ({ page, context }) => {
    test.setTimeout(120_000)
    await signIn(context.request, admin)
    for (const { name, path, begin } of OPENED)
      await test.step(name, async () => {
        await open(page, path)
        if (path === '/declarations') {
          await expect(rows(page).first()).toBeVisible()
          await page.keyboard.press('j')
          await expect(page.getByRole('listbox')).toBeFocused()
        }
        await begin(page)
        const opened = page.locator('dialog[open], [popover=auto]:popover-open')
        await expect(opened).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(opened).toBeHidden()
        await expect(page.locator('[data-opener], [role=listbox]').and(page.locator(':focus'))).toHaveCount(1)
      })
  })

  /** Presses a button by keyboard, and remembers it as the one that the focus must come back to. */
  function pressed(name: string | RegExp) {
    return async (page: Page) => {
      const button = page
        .getByRole('button', { name, exact: typeof name === 'string' })
        .filter({ visible: true })
        .first()
      await button.evaluate((element) => element.setAttribute('data-opener', ''))
      await button.press('Enter')
    }
  }

  test('comes back to the list when a lead closes, on a phone too', async ({ page, context }) => {
    await signIn(context.request, admin)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await open(page, '/declarations')
      await openFirstByKeys(page)
      await page
        .getByRole('link', { name: /kontakt/i })
        .first()
        .focus()
      await page.keyboard.press('Escape')
      await expect(page).not.toHaveURL(/lead=/)
      await expect(page.getByRole('listbox')).toBeFocused()
    }
  })

  test('goes along to another screen', async ({ page, context }) => {
    await signIn(context.request, admin)
    await open(page, '/declarations')
    await page.getByRole('link', { name: 'Intresse per år' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: /^Intresse/ })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
  })
})
