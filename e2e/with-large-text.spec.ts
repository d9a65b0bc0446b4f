import type { Page } from '@playwright/test'
import { expect, holdBack, joinAs, open, test, yesterday } from './fixtures'
import { cursor, openFirst, openMore, pressInListHeader, rows } from './leads'

type Shape = { name: string; width: number; height: number; text: number }
const SHAPES: Shape[] = [
  { name: 'text at 200 % on a desk', width: 1440, height: 900, text: 32 },
  { name: 'text at 200 % on a phone', width: 390, height: 844, text: 32 },
  { name: '400 % zoom', width: 320, height: 256, text: 16 },
  { name: 'a phone on its side', width: 844, height: 390, text: 16 },
]

/** Returns a function that sets size and the browser's own text size, with which rem and the breakpoints grow. */
async function shaping(page: Page): Promise<(shape: Shape) => Promise<void>> {
  const browser = await page.context().newCDPSession(page)
  return async ({ width, height, text }) => {
    await page.setViewportSize({ width, height })
    await browser.send('Page.setFontSizes', { fontSizes: { standard: text, fixed: text - 3 } })
    await expect(page.locator('html')).toHaveCSS('font-size', `${text}px`)
  }
}

const toContact = async (page: Page) => {
  await openFirst(page)
  await openMore(page)
  await page.getByRole('link', { name: 'Visa hela kontakten' }).click()
  await expect(page).toHaveURL(/\/contacts\//)
}

const openDialog = (key: string) => async (page: Page) => {
  await expect(rows(page).first()).toBeAttached()
  await page.keyboard.press('j')
  await expect(cursor(page)).toBeAttached()
  await page.keyboard.press(key)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('button').or(dialog.getByRole('term')).first()).toBeAttached()
}

type Screen = { path: string; act?: (page: Page) => Promise<void> }
const plain = (paths: string): Screen[] => paths.split(' ').map((path) => ({ path }))
const GROUPS: { whose: string; screens: Screen[] }[] = [
  {
    whose: 'in the inbox',
    screens: [
      ...plain('/today /queue/waiting /questions'),
      { path: '/questions', act: openDialog('a') },
      { path: '/questions', act: openDialog('h') },
      { path: '/questions', act: openDialog('?') },
      { path: '/declarations', act: openFirst },
      { path: '/declarations', act: toContact },
    ],
  },
  { whose: 'beside it', screens: plain('/interest /exports /help /account') },
  { whose: 'in administration', screens: plain('/admin /admin/users /admin/work /admin/activity /admin/status') },
  { whose: 'before signing in', screens: plain('/signin') },
]

for (const { whose, screens } of GROUPS)
  test(`${whose} nothing is cut, overlaps or is too wide`, { tag: '@full' }, async ({ page, context }) => {
    test.setTimeout(120_000)
    if (whose !== 'before signing in') await joinAs(context, 'admin')
    const shape = await shaping(page)
    // Nothing comes in while one page is looked at in all shapes.
    await holdBack(page, '**/api/events*')
    for (const { path, act } of screens) {
      await open(page, path)
      await act?.(page)
      await expect(page.getByRole('heading').first()).toBeAttached()
      for (const one of SHAPES) {
        await shape(one)
        await expectNoFaults(page, `${path}, ${one.name}`)
      }
    }
  })

test('the list keeps room for whole rows', { tag: '@full' }, async ({ page, context }) => {
  test.setTimeout(90_000)
  await joinAs(context, 'admin')
  const shape = await shaping(page)
  for (const one of SHAPES)
    await test.step(one.name, async () => {
      await shape(one)
      await open(page, `/declarations?to=${yesterday}`)
      await expect(rows(page).first()).toBeAttached()
      // Where there is room for two panes, the cursor is on the first lead from the beginning.
      for (const place of ['1', '2', '3', '4', '5', '6']) {
        if (place === '1' && (await cursor(page).count()) === 1) continue
        await page.keyboard.press('j')
        await expect(cursor(page)).toHaveAttribute('aria-posinset', place)
      }
      await expect(cursor(page)).toBeInViewport({ ratio: 1 })
      expect(await wholeRows(page)).toBeGreaterThanOrEqual(2)
    })
})

/** Rows in sight with nothing over them. */
function wholeRows(page: Page): Promise<number> {
  return rows(page).evaluateAll(
    (elements) =>
      elements.filter((row) => {
        const { left, top, bottom } = row.getBoundingClientRect()
        return [top + 2, bottom - 2].every((y) => row.contains(document.elementFromPoint(left + 20, y)))
      }).length,
  )
}

/** Of the layout at rest: parts that come later move it. */
const expectNoFaults = (page: Page, where: string) => expect.poll(() => page.evaluate(findFaults), where).toEqual([])

/** Runs in the page. Describes each fault of its layout. */
function findFaults(): string[] {
  const faults = new Set<string>()
  const say = (what: string, element: Element) =>
    faults.add(`${what}: ${element.tagName.toLowerCase()} "${element.textContent.trim().slice(0, 40)}"`)
  const styleOf = (element: Element) => getComputedStyle(element)
  const isUnseen = (element: Element) => styleOf(element).clipPath !== 'none' || element.ariaHidden === 'true'
  const ancestors = (element: Element): Element[] =>
    element.parentElement === null ? [] : [element.parentElement, ...ancestors(element.parentElement)]
  const isSeen = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    ![element, ...ancestors(element)].some(isUnseen)
  /** A scroll area that the keyboard reaches: a table, a line of filters. */
  const scrollsAside = (element: Element) =>
    element instanceof HTMLElement &&
    ['auto', 'scroll'].includes(styleOf(element).overflowX) &&
    (element.tabIndex >= 0 || element.tagName === 'FIELDSET')

  if (document.documentElement.scrollWidth > window.innerWidth) faults.add('the page is wider than the window')
  const main = document.querySelector('main')
  if (main !== null && main.scrollWidth > main.clientWidth + 1) faults.add('the screen is wider than its place')
  for (const element of document.querySelectorAll('body *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== '')
    if (!hasText || element.closest('svg, select, option') !== null || !isSeen(element)) continue
    const style = styleOf(element)
    if (ancestors(element).some(scrollsAside)) continue
    const hasEllipsis = style.textOverflow === 'ellipsis'
    if (style.display !== 'inline' && !hasEllipsis && element.scrollWidth > element.clientWidth + 1)
      say('wider than its box', element)
    if (
      style.overflowY === 'hidden' &&
      style.webkitLineClamp === 'none' &&
      element.scrollHeight > element.clientHeight + 2
    )
      say('cut below', element)
  }
  // A link within a text has a box on each of its lines.
  const shown = (element: Element) => {
    const around = ancestors(element).filter((other) => styleOf(other).overflowX !== 'visible')
    const bounds = around.map((one) => one.getBoundingClientRect())
    return Array.from(element.getClientRects(), (line) => ({
      left: Math.max(line.left, ...bounds.map(({ left }) => left)),
      right: Math.min(line.right, ...bounds.map(({ right }) => right)),
      top: Math.max(line.top, ...bounds.map(({ top }) => top)),
      bottom: Math.min(line.bottom, ...bounds.map(({ bottom }) => bottom)),
    }))
  }
  type Box = ReturnType<typeof shown>[number]
  const meet = (a: Box, b: Box) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3
  const isPlaced = (element: Element) =>
    [element, ...ancestors(element)].some((other) => ['fixed', 'sticky', 'absolute'].includes(styleOf(other).position))
  const controls = [...document.querySelectorAll('button, a[href], input, select, h1, h2')].filter(
    (element) => isSeen(element) && !isPlaced(element),
  )
  controls.forEach((element, at) => {
    const lines = shown(element)
    for (const other of controls.slice(at + 1, at + 12)) {
      if (element.contains(other)) continue
      const others = shown(other)
      if (lines.some((line) => others.some((one) => meet(line, one))))
        say(`over "${other.textContent.trim().slice(0, 20)}"`, element)
    }
  })
  return [...faults]
}

test.describe('as an administrator', () => {
  test.use({ as: 'admin' })

  test('at 400 % the header scrolls away, and a dialog to its last button', { tag: '@full' }, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 256 })
    await open(page, '/declarations')
    await expect(rows(page).first()).toBeAttached()
    await expect(page.getByRole('searchbox')).toBeInViewport()
    await page.mouse.move(160, 120)
    await page.mouse.wheel(0, 600)
    await expect(page.getByRole('searchbox')).not.toBeInViewport()
    await expect.poll(() => wholeRows(page)).toBeGreaterThanOrEqual(2)
    await pressInListHeader(page, 'Exportera')
    const last = page.getByRole('dialog').getByRole('button').last()
    await last.scrollIntoViewIfNeeded()
    await expect(last).toBeInViewport({ ratio: 1 })
  })

  test.describe('in forced colours', () => {
    test.use({ contextOptions: { forcedColors: 'active' } })

    test('cursor, open row and current page differ', { tag: '@full' }, async ({ page }) => {
      // Rows of the past keep their places.
      await open(page, `/declarations?to=${yesterday}`)
      await openFirst(page)
      // In one step: between two steps the row may change.
      const look = (selector: string) =>
        page.evaluate((wanted) => {
          const element = document.querySelector(wanted)
          if (element === null) throw new Error(`${wanted} is not there`)
          const { backgroundColor, outlineStyle, outlineWidth } = getComputedStyle(element)
          return `${backgroundColor} ${outlineStyle} ${outlineWidth}`
        }, selector)
      const plainRow = await look('[role=option][aria-selected=false][data-cursor=false]')
      await expect(page.locator('[role=option][aria-selected=true]')).toBeVisible()
      const opened = await look('[role=option][aria-selected=true]')
      await page.keyboard.press('Escape')
      await expect(page).not.toHaveURL(/lead=/)
      await page.keyboard.press('j')
      await expect(cursor(page)).toHaveAttribute('aria-posinset', '2')
      const atCursor = await look('[role=option][data-cursor=true]')
      expect(new Set([plainRow, opened, atCursor]).size, [plainRow, opened, atCursor].join('; ')).toBe(3)
      expect(await look('nav [aria-current=page]')).not.toBe(await look('nav a:not([aria-current])'))
    })
  })
})
