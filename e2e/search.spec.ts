import type { APIRequestContext, Page } from '@playwright/test'
import type { DeclarationsPage } from '@/lib/contract/lead'
import { atRest, comeIn, DEMO, expect, open, openLeadId, rows, staff, test } from './fixtures'

const field = (page: Page) => page.getByRole('searchbox')
const list = (page: Page) => page.getByRole('listbox')
const cursor = (page: Page) => page.locator('[role=option][data-cursor=true]')

type Found = { ids: string[]; names: string[]; total: number }

/** The leads that the server finds, in its order. */
async function found(request: APIRequestContext, q: string, more = ''): Promise<Found> {
  const answer = await request.get(`${DEMO}/api/declarations-of-interest?${new URLSearchParams({ q })}${more}`)
  const { declarationsOfInterest, total }: DeclarationsPage = await answer.json()
  const names = declarationsOfInterest.map(({ user }) => [user.firstName, user.lastName, user.email].join(' '))
  return { ids: declarationsOfInterest.map(({ id }) => id), names, total }
}

/** Answers to searches wait until they are let go, which is what this resolves to. */
async function holdBack(page: Page): Promise<() => void> {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route(/\/api\/declarations-of-interest\?.*q=/, async (route) => {
    await held
    await route.continue()
  })
  return letGo
}

async function searchFor(page: Page, text: string): Promise<void> {
  const answered = page.waitForResponse((answer) => new URL(answer.url()).searchParams.get('q') === text)
  await page.keyboard.press('/')
  await field(page).fill(text)
  await answered
  await expect(list(page)).toHaveAttribute('aria-busy', 'false')
}

test.beforeEach(({ context }) => comeIn(context, staff))

test('å is å: "åsa" finds no Asa, "asa" finds both, and those who begin with it come first', async ({
  page,
  context,
}) => {
  await open(page, '/declarations')
  await searchFor(page, 'åsa')
  await expect(rows(page).first()).toContainText('Åsa')
  await expect.poll(async () => (await rows(page).allInnerTexts()).filter((text) => !/åsa/i.test(text))).toEqual([])
  const [exact, plain] = [await found(context.request, 'åsa'), await found(context.request, 'asa')]
  expect(plain.total).toBeGreaterThan(exact.total)
  await searchFor(page, 'asa')
  await expect(rows(page).first().locator('mark')).toHaveText(['Åsa'])
  const begins = plain.names.map((name) => /(?<![\p{L}\d])[åa]s[aå]/iu.test(name))
  const inside = begins.indexOf(false)
  expect(inside, 'somebody like Anas Ahmed, who has it inside').toBeGreaterThan(0)
  expect(begins.slice(inside), 'after everybody who begins with it').not.toContain(true)
})

test('Enter opens the first hit of the whole text, however far behind the answer is', async ({ page, context }) => {
  await open(page, '/declarations')
  const letGo = await holdBack(page)
  await page.keyboard.press('/')
  await page.keyboard.type('asa oberg')
  await page.keyboard.press('Enter')
  letGo()
  await expect(page).toHaveURL(/lead=/)
  expect(openLeadId(page)).toBe((await found(context.request, 'asa oberg', '&limit=1')).ids[0])
  await expect(cursor(page)).toContainText('Åsa Öberg')
  await expect(list(page)).toBeFocused()
})

test('another letter takes Enter back, and without a hit one stays in the field', async ({ page }) => {
  await open(page, '/declarations')
  const letGo = await holdBack(page)
  await page.keyboard.press('/')
  await page.keyboard.type('asa')
  await page.keyboard.press('Enter')
  await page.keyboard.type(' zzqqxx')
  letGo()
  await expect(page.getByText('Inga träffar').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await atRest(page)
  await expect(field(page)).toBeFocused()
  expect(openLeadId(page)).toBe('')
  await page.keyboard.press('Escape')
  await expect(field(page)).toHaveValue('')
  await expect(rows(page).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(field(page)).not.toBeFocused()
})

test(
  'arrows and Enter work before any click, and the arrow leads from the field to the first hit',
  { tag: '@full' },
  async ({ page }) => {
    await open(page, '/declarations?sort=createdAt')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(cursor(page)).toHaveAttribute('aria-posinset', '2')
    await expect(list(page)).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(cursor(page)).toHaveAttribute('aria-posinset', '1')
    const letGo = await holdBack(page)
    await page.keyboard.press('/')
    await page.keyboard.type('öberg')
    await page.keyboard.press('ArrowDown')
    letGo()
    await expect(list(page)).toBeFocused()
    await expect(cursor(page)).toHaveAttribute('aria-posinset', '1')
    // A Sjöberg has it too, and may be the oldest.
    await expect(cursor(page)).toContainText(/öberg/i)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/lead=/)
  },
)

test('while the answer is on its way the old rows are dimmed, and no key decides about them', async ({ page }) => {
  await open(page, '/declarations?sort=createdAt')
  await page.keyboard.press('ArrowDown')
  await expect(cursor(page)).toBeVisible()
  const decided: string[] = []
  page.on('request', (request) => request.url().includes('/api/triage') && decided.push(request.url()))
  const letGo = await holdBack(page)
  await page.keyboard.press('/')
  await page.keyboard.type('öberg')
  await expect(list(page)).toHaveAttribute('aria-busy', 'true')
  await expect(list(page).locator('> div')).toHaveCSS('opacity', '0.5')
  await list(page).focus()
  await page.keyboard.press('e')
  letGo()
  await expect(list(page)).toHaveAttribute('aria-busy', 'false')
  await expect(list(page).locator('> div')).toHaveCSS('opacity', '1')
  expect(decided).toEqual([])
})

test('a name and a piece of a phone together, both marked', { tag: '@full' }, async ({ page }) => {
  await open(page, '/declarations')
  await searchFor(page, '070-174 åsa')
  await expect(rows(page).first().locator('mark')).toHaveText(['Åsa', '070-174'])
  await expect(rows(page).first()).toContainText('Åsa')
  await searchFor(page, '070 174 oberg')
  await expect(rows(page).first().locator('mark')).toHaveText(['Öberg', '070-174'])
})

test('of a question one reads what was met, within the row', { tag: '@full' }, async ({ page }) => {
  await open(page, '/questions')
  await searchFor(page, 'antagning')
  await expect(rows(page).first().locator('mark').first()).toHaveText(/antagning/i)
  const places = await rows(page).evaluateAll((all) =>
    all.slice(0, 12).map((row) => {
      const [heading, mark] = [[...row.querySelectorAll('[dir=auto]')].at(-1), row.querySelector('mark')]
      const [around, met] = [heading?.getBoundingClientRect(), mark?.getBoundingClientRect()]
      return {
        text: heading?.textContent ?? '',
        isSeen: around !== undefined && met !== undefined && met.right <= around.right,
      }
    }),
  )
  for (const { text, isSeen } of places) expect(isSeen, text).toBe(true)
  expect(places.some(({ text }) => /^… \S/.test(text))).toBe(true)
})

test('a file has the order of the list it comes from', async ({ context }) => {
  const matching = { list: 'declarations-of-interest', q: 'asa' }
  const asked = { list: matching.list, matching, columns: ['id'], format: 'csv', purpose: 'Test' }
  const file = await context.request.post('/api/exports', { headers: { origin: DEMO }, data: asked })
  const [, ...ids] = (await file.text()).trim().split(/\r?\n/)
  expect(ids.map((id) => id.replaceAll(/^[="]+|"+$/g, ''))).toEqual((await found(context.request, 'asa')).ids)
})

test(
  'best match first is the order of a search; newest first is a choice that the address keeps',
  { tag: '@full' },
  async ({ page, context }) => {
    await open(page, '/declarations')
    await expect(page.getByRole('button', { name: 'Sortera: Nyast först' })).toBeVisible()
    await searchFor(page, 'asa')
    await page.getByRole('button', { name: 'Sortera: Bäst träff först' }).click()
    await expect(page.getByRole('menuitemradio', { checked: true })).toHaveText('Bäst träff först')
    await page.getByRole('menuitemradio', { name: 'Nyast först' }).click()
    await expect(page).toHaveURL(/sort=-createdAt/)
    expect(page.url()).not.toContain('asa')
    const [best, newest] = [
      await found(context.request, 'asa'),
      await found(context.request, 'asa', '&sort=-createdAt'),
    ]
    expect(best.ids).not.toEqual(newest.ids)
    expect(best.ids.toSorted()).toEqual(newest.ids.toSorted())
    await page.getByRole('button', { name: 'Sortera: Nyast först' }).click()
    await page.getByRole('menuitemradio', { name: 'Bäst träff först' }).click()
    await expect(page).not.toHaveURL(/sort=/)
  },
)
