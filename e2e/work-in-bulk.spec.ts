import {
  admin,
  expect,
  expectAccessible,
  joinAs,
  manager,
  newUser,
  nextStart,
  open,
  read,
  signIn,
  test,
  yesterday,
} from './fixtures'
import { decide, fromListMenu, markedBar, openList, questions, rows, totalOf, withSpaces } from './leads'

test.use({ as: admin })

const LIST = 'declarations-of-interest'

test('a range includes rows that were never on screen, and survives scrolling', async ({ page }) => {
  await openList(page, `/declarations?year=${nextStart}&to=${yesterday}`)
  await page.locator('#row-2 [data-mark]').click()
  const list = page.getByRole('listbox')
  await list.evaluate((element) => element.scrollTo({ top: 700 * 58 }))
  const far = page.locator('[role=option][aria-posinset="703"]')
  await far.click({ modifiers: ['Shift'] })
  await expect(markedBar(page)).toContainText('701 markerade')
  await list.evaluate((element) => element.scrollTo({ top: 0 }))
  await expect(page.locator('#row-2')).toBeChecked()
  await expect(page.locator('#row-1')).not.toBeChecked()
  await page.keyboard.press('Escape')
  await expect(markedBar(page)).toBeHidden()
})

test('another filter clears the marks', { tag: '@full' }, async ({ page }) => {
  await open(page, `/declarations?year=${nextStart + 1}`)
  await rows(page).first().locator('[data-mark]').click()
  await expect(markedBar(page)).toContainText('1 markerat')
  await page.getByRole('button', { name: 'Ta bort filtret Startår' }).click()
  await expect(markedBar(page)).toBeHidden()
})

test('marked leads are assigned', async ({ page }) => {
  await open(page, `/declarations?year=${nextStart + 1}&to=${yesterday}&sort=name`)
  for (const row of [4, 5]) await page.locator(`#row-${row} [data-mark]`).click()
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog', { name: 'Välj ansvarig för 2 ärenden' })
  await expect(dialog).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button').filter({ hasText: 'du' }).click()
  await expect(page.locator('#row-4').getByRole('img', { name: /^Ansvarig:/ })).toBeVisible()
  await page.keyboard.press('z')
  await expect(page.locator('#row-4').getByRole('img', { name: /^Ansvarig:/ })).toBeHidden()
})

test('the whole list or the marked leads are exported, as many as promised', async ({ page }) => {
  const filter = `year=${nextStart + 1}&to=${yesterday}`
  const total = await totalOf(page.request, LIST, filter)
  await open(page, `/declarations?${filter}&sort=name`)
  await fromListMenu(page, 'Exportera')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { level: 2 })).toHaveText(new RegExp(`^Exportera ${withSpaces(total)} `))
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  for (const row of [1, 6]) await page.locator(`#row-${row} [data-mark]`).click()
  await markedBar(page).getByRole('button', { name: 'Exportera' }).click()
  await expect(dialog.getByRole('heading', { level: 2 })).toHaveText(/^Exportera 2 /)
  await dialog.getByLabel('Syfte').selectOption({ label: 'Statistik' })
  const sent = page.waitForRequest('**/api/exports')
  await dialog.getByRole('button', { name: 'Exportera 2' }).click()
  expect((await sent).postDataJSON()).toMatchObject({ sort: 'name', expectedCount: 2 })
})

test('typing while the confirmation opens answers nothing', async ({ page }) => {
  await openList(page, `/declarations?school=norra-gymnasiet&status=new&to=${yesterday}`)
  await page.keyboard.press('*')
  await expect(markedBar(page).getByRole('status')).toBeVisible()
  const decided: string[] = []
  page.on('request', (request) => request.method() !== 'GET' && decided.push(request.url()))
  const question = page.getByRole('dialog', { name: /^Markera .* som hanterade/ })
  for (const line of ['en rad', 'e rad ']) {
    await page.keyboard.type(line, { delay: 40 })
    await page.keyboard.press('Enter')
    await expect(question).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
  }
  expect(decided.filter((url) => url.includes('/api/triage'))).toEqual([])
})

test(
  'the load is seen by who assigns leads, and evened out: asked once, undone as one',
  { tag: '@full' },
  async ({ page }) => {
    const [anna, bo] = [await newUser(page.request), await newUser(page.request)]
    await signIn(page.request, admin)
    const leads = await questions(page.request, 'waiting=1&status=new&assignee=none&limit=4&offset=6')
    for (const { id } of leads) await decide(page.request, 'asked-questions', id, { assignee: anna.id })
    const found = await questions(page.request, `waiting=1&assignee=${anna.id}`)
    // The plan for two persons alone: that for all would take leads from the tests beside this one.
    const moves = found.slice(0, 2).map(({ id, triage: { updatedAt } }) => {
      return { kind: 'asked-question', id, from: anna.id, assignee: bo.id, updatedAt }
    })
    const numbers = await read(page.request, '/api/load')
    await page.route('**/api/load/moves', (route) => route.fulfill({ json: { ...numbers, moves } }))
    const heldBy = async ({ id }: { id: string }) => (await questions(page.request, `waiting=1&assignee=${id}`)).length
    await open(page, '/interest')
    const load = page.getByRole('region', { name: 'Belastning nu' })
    await expect(load.getByRole('cell', { name: 'Norra Gymnasiet' })).toBeVisible()
    await expectAccessible(page)
    await load.getByRole('button', { name: 'Jämna ut' }).click()
    const question = page.getByRole('dialog', { name: 'Jämna ut?' })
    await expect(question).toContainText('2 ärenden flyttas: ')
    for (const change of ['Eva Ek 4 → 2', 'Eva Ek 0 → 2']) await expect(question).toContainText(change)
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Flytta 2 ärenden' }).click()
    await expect(page.getByText('2 ärenden är flyttade.')).toBeVisible()
    await expect(load.getByRole('button', { name: 'Jämna ut' })).toBeFocused()
    expect([await heldBy(anna), await heldBy(bo)]).toEqual([2, 2])
    await page.keyboard.press('z')
    await expect.poll(async () => [await heldBy(anna), await heldBy(bo)]).toEqual([4, 0])
  },
)

test('who sees counts only has no load by person', { tag: '@full' }, async ({ page, context }) => {
  await joinAs(context, manager)
  await open(page, '/interest')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Belastning nu' })).toHaveCount(0)
  for (const path of ['/api/load', '/api/load/moves']) expect((await page.request.get(path)).status()).toBe(403)
})
