import { daysAgo, expect, expectAccessible, joinAsNew, leadNow, open, pick, read, test } from './fixtures'
import { expectLeft, leadPane, openRow } from './leads'

test.use({ as: 'staff' })

const LIST = 'declarations-of-interest'
const OPEN = `/declarations?status=new&to=${daysAgo(20)}`

test('a lead is snoozed, and comes back when that is undone', { tag: '@full' }, async ({ page }) => {
  const id = await openRow(page, OPEN, 7)
  const snoozedUntil = async () => (await leadNow(page.request, LIST, id)).snoozeUntil ?? ''
  await page.keyboard.press('h')
  const dialog = page.getByRole('dialog', { name: /påminna om/ })
  const tomorrow = dialog.getByRole('listitem').first().getByRole('button')
  await expect(tomorrow).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('e')
  await expect(page.getByText('Den tangenten gör inget nu. Tryck Esc först.')).toBeVisible()
  await tomorrow.click()
  await expect(page.getByText(/^Intag påminner om .+ \S+ \d+ \S+\.$/)).toBeVisible()
  await expectLeft(page, id)
  await expect.poll(async () => (await snoozedUntil()) > daysAgo(0)).toBe(true)

  await open(page, `/declarations?lead=${id}`)
  await expect(leadPane(page).getByText(/^Påminns /)).toBeVisible()
  await expectAccessible(page)
  await leadPane(page).getByRole('button', { name: 'Ta bort påminnelsen' }).click()
  await expect.poll(snoozedUntil).toBe('')
  await expect(leadPane(page).getByText(/^Påminns /)).toBeHidden()
})

test('a lead is assigned by a key, a few letters and Enter', async ({ page }) => {
  await joinAsNew(page)
  const id = await openRow(page, OPEN, 11)
  const assignee = async () => (await leadNow(page.request, LIST, id)).triage.assignee?.name
  const { people }: { people: { name: string }[] } = await read(page.request, '/api/people')
  const other = pick(people, ({ name }) => name !== 'Eva Ek')
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog').getByRole('searchbox')).toBeFocused()
  await page.keyboard.type(other.name.slice(0, 5).toLowerCase())
  await page.keyboard.press('Enter')
  await expect.poll(assignee).toBe(other.name)
  await page.keyboard.press('z')
  await expect.poll(assignee).toBeUndefined()
})

test('a note names a colleague by @ and letters', { tag: '@full' }, async ({ page }) => {
  await openRow(page, OPEN, 13)
  await page.keyboard.press('n')
  const field = leadPane(page).getByRole('textbox', { name: /anteckning/i })
  await expect(field).toBeFocused()
  await field.pressSequentially('Kan du ringa, @')
  const list = leadPane(page).getByRole('list', { name: 'Kollegor att nämna' }).getByRole('button')
  await expect(list.first()).toBeVisible()
  await expectAccessible(page)
  const name = await list.first().innerText()
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue(`Kan du ringa, @${name} `)
  await expect(list).toHaveCount(0)
  await page.keyboard.press('Control+Enter')
  await expect(leadPane(page).getByText(`Kan du ringa, @${name}`)).toBeVisible()
  await expect(leadPane(page).locator('mark')).toHaveText(`@${name}`)
})
