import type { Page } from '@playwright/test'
import {
  admin,
  daysAgo,
  expect,
  expectAccessible,
  joinAs,
  nextStart,
  open,
  staff,
  statusOf,
  test,
  yesterday,
} from './fixtures'
import {
  cursor,
  decide,
  declarations,
  expectLeft,
  expectOpen,
  expectStatus,
  leadPane,
  leadStatus,
  markedBar,
  openLeadId,
  openList,
  openRow,
  press,
  rows,
  totalOf,
  typeSearch,
} from './leads'

test.use({ as: staff })

const LIST = 'declarations-of-interest'
const CALLS = '/questions?status=new&mode=phone&sort=createdAt'

async function expectOneSubject(page: Page): Promise<void> {
  await expect(page.locator('[role=option][data-cursor=true]:not([aria-selected=true])')).toHaveCount(0)
}

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
  await expectOneSubject(page)
  await page.keyboard.press('Enter')
  await expect(leadPane(page).getByRole('heading', { name: 'Åsa Öberg' })).toBeVisible()
  const id = openLeadId(page)
  expect(id).toBe(asa?.id)
  await page.keyboard.press('e')
  await expect(page.getByText(/^Åsa Öberg är hanterad\./)).toBeVisible()
  await expectStatus(page, LIST, id, 'handled')
  expect(await statusOf(page.request, LIST, hugo)).toBe('new')
  await page.keyboard.press('z')
  await expect(page.getByText('Ångrat: Åsa Öberg är ny igen.')).toBeVisible()
  await expectStatus(page, LIST, id, 'new')
})

test('another filter closes the lead that it excludes, and no other', { tag: '@full' }, async ({ page }) => {
  const [lead] = await declarations(page.request, `year=${nextStart + 1}&sort=name&limit=1`)
  const selected = page.getByRole('option', { selected: true })
  await open(page, `/declarations?year=${nextStart + 1}&sort=name&lead=${lead?.id}`)
  await expect(rows(page).first()).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('button', { name: 'Ta bort filtret Startår' }).click()
  await expect(page).not.toHaveURL(/year=/)
  await expect(selected).toBeVisible()
  await expect(page).toHaveURL(/lead=/)
  await expectOneSubject(page)
  await open(page, `/declarations?year=${nextStart}&lead=${lead?.id}`)
  await expect(leadPane(page).getByText('Finns inte i listan som visas')).toBeVisible()
  await expect(selected).toHaveCount(0)
  await expectOneSubject(page)
  await expectAccessible(page)
})

test(
  'a lead that leaves the list stays open, and no neighbour replaces it',
  { tag: '@full' },
  async ({ page, requestAs }) => {
    const filter = `status=new&year=${nextStart}&sort=createdAt`
    const leads = await declarations(page.request, `${filter}&limit=30`)
    const [before = '', id = '', after = ''] = leads.slice(21).map((lead) => lead.id)
    const selected = page.getByRole('option', { selected: true })
    await open(page, `/declarations?${filter}&lead=${id}`)
    await expect(selected).toBeVisible()
    const colleague = await requestAs(admin)
    await decide(colleague, LIST, id, { status: 'in-progress' })
    await expect(leadPane(page).getByText('Finns inte längre i listan')).toBeVisible()
    await expect(leadStatus(page, 'in-progress')).toBeVisible()
    expect(openLeadId(page)).toBe(id)
    await expect(selected).toHaveCount(0)
    await expectOneSubject(page)
    await page.keyboard.press('j')
    await expectOpen(page, after)
    await page.keyboard.press('k')
    await expectOpen(page, before)
    await decide(colleague, LIST, id, { status: 'new' })
  },
)

test('a linked older lead is found in the list, and j goes on from it', { tag: '@full' }, async ({ page }) => {
  const [lead, next] = await declarations(page.request, `to=${yesterday}&limit=2&offset=900`)
  await open(page, `/declarations?to=${yesterday}&lead=${lead?.id}`)
  const row = page.getByRole('option', { selected: true })
  await expect(row).toBeInViewport()
  await expect(row).toHaveAttribute('aria-posinset', '901')
  await page.keyboard.press('j')
  await expectOpen(page, next?.id ?? '')
  await expect(row).toHaveAttribute('aria-posinset', '902')
})

test(
  'marks and the open lead are one subject: marking closes, and marks are not opened',
  { tag: '@full' },
  async ({ page }) => {
    await openRow(page, `/declarations?year=${nextStart + 1}&to=${yesterday}`, 1)
    await page.keyboard.press('x')
    await expect(page).not.toHaveURL(/lead=/)
    await press(page, 'j x')
    await expect(leadPane(page)).toContainText('2 markerade')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(markedBar(page)).toContainText('2 markerade')
    await expect(page).not.toHaveURL(/lead=/)
    await page.keyboard.press('Escape')
    await expect(markedBar(page)).toBeHidden()
    await expect(cursor(page)).toHaveAttribute('aria-posinset', '3')
  },
)

test('Escape leaves the note and keeps it, and closes the day before the lead', async ({ page }) => {
  const id = await openRow(page, CALLS, 2)
  await expect(page.getByRole('button', { name: /^Ring igen/ })).toBeVisible()
  const note = page.getByRole('textbox', { name: 'Skriv en anteckning' })
  await page.getByRole('button', { name: 'Anteckna' }).click()
  await expect(note).toBeFocused()
  await note.pressSequentially('Ringer på')
  await note.press('Escape')
  await expect(note).not.toBeFocused()
  await page.keyboard.press('3')
  const days = page.getByRole('dialog', { name: /påminna om/ })
  await expect(days.getByRole('listitem').first().getByRole('button')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(days).toBeHidden()
  expect(openLeadId(page)).toBe(id)
  await page.keyboard.press('j')
  await expectLeft(page, id)
  await page.keyboard.press('k')
  await expectOpen(page, id)
  await expect(note).toHaveValue('Ringer på')
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/lead=/)
})

test('the same key twice in a moment decides about one lead only', async ({ page }) => {
  const first = await openRow(page, CALLS, 5)
  // In the page, so that a slow machine does not separate them: the second key meets the same lead, the third the next.
  await page.evaluate(() => {
    const pressE = () =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'e', bubbles: true, cancelable: true }))
    const shown = () => document.querySelector('[role=option][aria-selected=true]')?.textContent
    const [before, address] = [shown(), location.search]
    pressE()
    pressE()
    const observer = new MutationObserver(() => {
      if (location.search === address || shown() === before || shown() === undefined) return
      observer.disconnect()
      pressE()
    })
    observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
  })
  await expectLeft(page, first)
  const second = openLeadId(page)
  await expect(page.getByText(/^Frågan från .* är hanterad\./)).toBeVisible()
  await expectStatus(page, 'asked-questions', first, 'handled')
  expect(await statusOf(page.request, 'asked-questions', second)).toBe('new')
  await page.keyboard.press('z')
  await expectOpen(page, first)
  await expectStatus(page, 'asked-questions', first, 'new')
})

test('a key pressed as fast as one can decides about one lead after the other', async ({ page }) => {
  // Leads of its own: what another test has decided about is not taken back.
  const first = await openRow(page, `${CALLS}&from=${daysAgo(600)}`, 1)
  await expect(page.getByRole('option', { selected: true })).toBeVisible()
  const decided: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') decided.push(request.postData() ?? '')
  })
  // By the screen, so that a slow machine is no slower than a person.
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const shown = () => document.querySelector('[role=option][aria-selected=true]')?.textContent
    for (let turn = 0; turn < 4; turn++) {
      const [before, address] = [shown(), location.search]
      const from = Number(await frame())
      while (performance.now() - from < 90) await frame()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'e', bubbles: true, cancelable: true }))
      while (location.search === address || shown() === before || shown() === undefined) {
        if (performance.now() - from > 10_000) throw new Error('the next lead does not come')
        await frame()
      }
    }
  })
  await expect.poll(() => decided).toHaveLength(4)
  for (let turn = 0; turn < 4; turn++) {
    const id = openLeadId(page)
    await page.keyboard.press('z')
    await expectLeft(page, id)
  }
  await expectOpen(page, first)
  await expectStatus(page, 'asked-questions', first, 'new')
  expect(new Set(decided).size).toBe(4)
})

test('more than fifty need a confirmation, and are undone as one', async ({ page }) => {
  // Hundreds in any season, and of cohorts that no other test decides about.
  const filter = `school=sodra-gymnasiet&year=${nextStart - 2}&year=${nextStart - 1}&from=${daysAgo(700)}&to=${daysAgo(500)}`
  const handled = () => totalOf(page.request, LIST, `${filter}&status=handled`)
  const before = await handled()
  await openList(page, `/declarations?${filter}&status=new`)
  await page.keyboard.press('*')
  await expect(markedBar(page)).toBeVisible()
  const count = Number(((await markedBar(page).getByRole('status').textContent()) ?? '').replace(/\D/g, ''))
  expect(count).toBeGreaterThan(50)
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', String(count))
  const number = count.toLocaleString('sv-SE').replace(/\s/g, '\\s')
  const question = page.getByRole('dialog', {
    name: new RegExp(`^Markera ${number} ärenden som hanterade\\?$`),
  })
  await page.keyboard.press('e')
  await expect(question).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(markedBar(page)).toBeVisible()
  expect(await handled()).toBe(before)
  await markedBar(page).getByRole('button', { name: 'Markera hanterade' }).click()
  await expect(question.getByRole('button', { name: /^Markera/ })).toBeFocused()
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
  await joinAs(context, admin)
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

test('one notice shows at a time, beside the row that one is at', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  await openList(page, `/declarations?to=${daysAgo(41)}`)
  const last = rows(page).filter({ visible: true }).nth(9)
  await last.click()
  const notices = page.getByRole('region', { name: 'Meddelanden' }).locator('> div > div')
  for (const key of ['p', 'z']) {
    await page.keyboard.press(key)
    await expect(async () => {
      await expect(notices).toHaveCount(1, { timeout: 500 })
      const [box, row] = [await notices.boundingBox(), await cursor(page).boundingBox()]
      if (box === null || row === null) throw new Error('not there')
      const apart = box.y >= row.y + row.height || box.y + box.height <= row.y
      expect(apart || box.x >= row.x + row.width || box.x + box.width <= row.x).toBe(true)
    }).toPass()
  }
})
