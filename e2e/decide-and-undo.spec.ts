import { daysAgo, expect, expectAccessible, joinAs, nextStart, open, pick, read, statusOf, test } from './fixtures'
import {
  cursor,
  declarations,
  expectLeft,
  expectOpen,
  expectStatus,
  leadPane,
  markedBar,
  openList,
  openRow,
  questions,
  rows,
  typeSearch,
} from './leads'

test.use({ as: 'staff' })

const LIST = 'declarations-of-interest'

test('a key decides about the lead on screen, and the notice names it', async ({ page }) => {
  const [asa] = await declarations(page.request, 'q=asa%20oberg&status=new&limit=1')
  const hugo = await openRow(page, `/declarations?status=new&year=${nextStart + 1}`, 2)
  await page
    .getByRole('button', { name: /^Ta bort filtret/ })
    .last()
    .click()
  await typeSearch(page, 'asa oberg')
  await expect(rows(page).first()).toContainText('Åsa Öberg')
  await expectLeft(page, hugo)
  await expect(cursor(page).and(page.locator(':not([aria-selected=true])')), 'one subject').toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(leadPane(page).getByRole('heading', { name: 'Åsa Öberg' })).toBeVisible()
  // The lead is shown by itself before Enter has opened it.
  const id = asa?.id ?? ''
  await expectOpen(page, id)
  await page.keyboard.press('e')
  await expect(page.getByText(/^Åsa Öberg är markerad som hanterad\./)).toBeVisible()
  await expectStatus(page, LIST, id, 'handled')
  expect(await statusOf(page.request, LIST, hugo)).toBe('new')
  await page.keyboard.press('z')
  await expect(page.getByText('Ångrat: Åsa Öberg.')).toBeVisible()
  await expectStatus(page, LIST, id, 'new')
})

test('all open leads of a person are handled, and undone, as one', async ({ page }) => {
  const old = await questions(page.request, `limit=200&to=${daysAgo(150)}&status=new`)
  const { id, person } = pick(old, (lead) => Boolean(lead.person?.name) && lead.person?.open === 1)
  await open(page, `/questions?lead=${id}`)
  await expect(page.getByText('2 öppna ärenden från samma person:')).toBeVisible()
  await page.keyboard.press('Shift+E')
  await expect(page.getByText('2 ärenden är markerade som hanterade.')).toBeVisible()
  await expectStatus(page, 'asked-questions', id, 'handled')
  await expectLeft(page, id)
  await page.keyboard.press('z')
  await expect(page.getByText(`Ångrat för 2 ärenden från ${person?.name}.`)).toBeVisible()
  await expectOpen(page, id)
  await expectStatus(page, 'asked-questions', id, 'new')
})

test('more than fifty need a confirmation, and are undone as one', async ({ page }) => {
  // Hundreds in any season, and of cohorts that no other test decides about.
  const filter = `school=sodra-gymnasiet&year=${nextStart - 2}&year=${nextStart - 1}&from=${daysAgo(700)}&to=${daysAgo(500)}`
  const handled = async (): Promise<number> =>
    (await read(page.request, `/api/${LIST}?limit=1&${filter}&status=handled`)).total
  const before = await handled()
  await openList(page, `/declarations?${filter}&status=new`)
  await page.keyboard.press('*')
  await expect(markedBar(page)).toBeVisible()
  const count = Number(((await markedBar(page).getByRole('status').textContent()) ?? '').replace(/\D/g, ''))
  expect(count).toBeGreaterThan(50)
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', String(count))
  // With any space between thousands.
  const number = count.toLocaleString('sv-SE').replace(/\s/g, '\\s?')
  const question = page.getByRole('dialog', { name: new RegExp(`^Markera ${number} ärenden som hanterade\\?$`) })
  await page.keyboard.press('e')
  await expect(question.getByRole('button', { name: /^Markera/ })).toBeFocused()
  await expectAccessible(page)
  expect(await handled()).toBe(before)
  await page.keyboard.press('Enter')
  await expect(page.getByText(new RegExp(`^${number} ärenden är markerade som hanterade\\.$`))).toBeVisible()
  await expect.poll(handled).toBe(before + count)
  await page.keyboard.press('z')
  await expect(page.getByText(new RegExp(`^Ångrat för ${number} ärenden\\.$`))).toBeVisible()
  await expect.poll(handled).toBe(before)
})

test('new leads wait under a button that covers no row', async ({ page, context }) => {
  test.setTimeout(90_000)
  // New leads come to all schools.
  await joinAs(context, 'admin')
  await open(page, '/declarations')
  await rows(page).nth(4).hover()
  const show = page.getByRole('button', { name: /(ny|nya), visa$/ })
  await expect(show).toBeVisible({ timeout: 60_000 })
  const place = await show.boundingBox()
  const list = await page.getByRole('listbox').boundingBox()
  expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual(list?.y ?? 0)
  await show.click()
  await expect(show).toBeHidden()
})
