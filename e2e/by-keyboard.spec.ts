import type { Page } from '@playwright/test'
import { admin, awake, daysAgo, expect, expectAccessible, open, staff, test, yesterday } from './fixtures'
import {
  clickRow,
  cursor,
  expectStatus,
  openFirstByKeys,
  leadPane,
  leadStatus,
  openLeadId,
  openList,
  openRow,
  rows,
  search,
} from './leads'
import { fromAccountMenu } from './reply-desk'

const DECLARATIONS = 'declarations-of-interest'

test.use({ as: staff })

test('p takes the lead, which stays open', async ({ page }) => {
  const id = await openRow(page, '/declarations?status=new&assignee=none&sort=createdAt', 7)
  await open(page, `/declarations?sort=createdAt&lead=${encodeURIComponent(id)}`)
  await expect(leadStatus(page, 'new')).toBeVisible()
  await page.keyboard.press('p')
  await expect(leadStatus(page, 'in-progress')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Ansvarig: / })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Jag tar det' })).toBeHidden()
  expect(openLeadId(page)).toBe(id)
  await expectStatus(page, DECLARATIONS, id, 'in-progress')
  await page.keyboard.press('z')
  await expect(page.getByRole('button', { name: /^Ansvarig: / })).toBeHidden()
  await expectStatus(page, DECLARATIONS, id, 'new')
})

test('? and a button list the keys of this machine, in a dialog for everyone', { tag: '@full' }, async ({ page }) => {
  await open(page, '/declarations')
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Kortkommandon' })
  await expect(help.getByRole('link').last()).toBeInViewport({ ratio: 1 })
  for (const name of ['Nästa ärende', 'Markera hanterad', 'Markera fram hit', 'Kommandon'])
    await expect(help.getByText(name, { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
  await fromAccountMenu(page, 'Kortkommandon')
  await expect(help.getByText('Ctrl', { exact: true }).first()).toBeVisible()
  await expect(help.getByText('⌘')).toHaveCount(0)
})

test(
  'characters are no commands once they are switched off, also after a reload',
  { tag: '@full' },
  async ({ page }) => {
    const id = await openRow(page, `/declarations?status=new&to=${daysAgo(37)}`, 4)
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Kortkommandon' })
    const choice = page.getByRole('checkbox', { name: /^Enstaka bokstäver/ })
    await choice.uncheck()
    await expect(help.getByText('Markera hanterad', { exact: true })).toBeHidden()
    await page.keyboard.press('Escape')
    for (const key of 'ett pass?/') await page.keyboard.press(key === ' ' ? 'Space' : key)
    await expect(help).toBeHidden()
    await expect(search(page)).not.toBeFocused()
    expect(openLeadId(page)).toBe(id)
    await expectStatus(page, DECLARATIONS, id, 'new')
    await page.reload()
    await awake(page)
    await page.keyboard.press('e')
    await expect(leadStatus(page, 'new')).toBeVisible()
    await fromAccountMenu(page, 'Kortkommandon')
    await expect(choice).not.toBeChecked()
    await choice.check()
  },
)

test('the palette does what the keys do, to the lead that one is at', async ({ page }) => {
  const id = await openRow(page, `/declarations?status=new&to=${daysAgo(33)}`, 5)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Kommandon' }).fill('inte aktuell')
  await page.keyboard.press('Enter')
  await expectStatus(page, DECLARATIONS, id, 'dismissed')
  await page.keyboard.press('z')
  await expectStatus(page, DECLARATIONS, id, 'new')
})

test('the cursor’s row stays in sight when the list becomes lower', { tag: '@full' }, async ({ page }) => {
  await openList(page, `/declarations?to=${yesterday}`)
  for (let place = 2; place <= 11; place++) {
    await page.keyboard.press('j')
    await expect(cursor(page)).toHaveAttribute('aria-posinset', String(place))
  }
  await page.setViewportSize({ width: 1440, height: 660 })
  await expect(cursor(page)).toBeInViewport({ ratio: 1 })
})

test.describe('the focus', () => {
  test.use({ as: admin })

  test('is shown at the cursor with keys, not with the mouse', { tag: '@full' }, async ({ page }) => {
    await openList(page, `/declarations?to=${yesterday}`)
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
    await clickRow(page, 3)
    await expect(cursor(page)).toHaveAttribute('aria-posinset', '4')
    expect(await ring('[data-cursor=true]')).toBeLessThan(2)
  })

  test(
    'is seen when Tab comes to the list, also where the row at the keys was scrolled away',
    {
      tag: '@full',
    },
    async ({ page }) => {
      await openList(page, `/declarations?to=${yesterday}`)
      const list = page.getByRole('listbox')
      const before = await list.screenshot()
      await search(page).focus()
      const tabTo = async () => {
        for (let times = 0; times < 9 && !(await list.evaluate((box) => box.matches(':focus'))); times++)
          await page.keyboard.press('Tab')
        await expect(list).toBeFocused()
      }
      await tabTo()
      expect(before.equals(await list.screenshot()), 'it looks otherwise').toBe(false)
      await page.keyboard.press('j')
      await expect(cursor(page)).toBeInViewport()
      await list.evaluate((box) => box.scrollTo(0, 5_000))
      await expect(cursor(page)).not.toBeInViewport()
      await search(page).focus()
      await tabTo()
      await expect(cursor(page)).toBeInViewport()
    },
  )

  const OPENED: { name: string; path: string; begin: (page: Page) => Promise<void> }[] = [
    { name: 'the palette', path: '/declarations', begin: (page) => page.keyboard.press('Control+k') },
    { name: 'the help', path: '/declarations', begin: (page) => page.keyboard.press('?') },
    { name: 'the choice of an assignee', path: '/declarations', begin: (page) => page.keyboard.press('a') },
    { name: 'the filters', path: '/declarations', begin: pressed('Filter') },
    { name: 'the schools', path: '/declarations', begin: pressed(/^Alla mina skolor/) },
    { name: 'the account', path: '/declarations', begin: pressed(/Anna Berg/) },
    { name: 'a new user', path: '/admin/users', begin: pressed('Lägg till') },
  ]
  const OFTEN = ['the palette', 'the filters']
  const isOften = ({ name }: { name: string }) => OFTEN.includes(name)
  for (const { what, tag, all } of [
    { what: OFTEN.join(', '), tag: [], all: OPENED.filter(isOften) },
    { what: 'whatever else was open', tag: ['@full'], all: OPENED.filter((one) => !isOften(one)) },
  ])
    test(`comes back after ${what}`, { tag }, async ({ page }) => {
      for (const { name, path, begin } of all)
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

  /** Presses a button by keyboard and marks it: the focus must come back to it. */
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

  test('comes back to the list when a lead closes, on a phone too', { tag: '@full' }, async ({ page }) => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await open(page, '/declarations')
      await openFirstByKeys(page)
      await leadPane(page).getByRole('button', { name: 'Anteckna' }).focus()
      await page.keyboard.press('Escape')
      await expect(page).not.toHaveURL(/lead=/)
      await expect(page.getByRole('listbox')).toBeFocused()
    }
  })

  test('goes along to another screen', { tag: '@full' }, async ({ page }) => {
    await open(page, '/declarations')
    await page.getByRole('link', { name: 'Intresse per år' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: /^Intresse/ })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
  })
})
