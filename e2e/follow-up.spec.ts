import {
  admin,
  daysAgo,
  expect,
  expectAccessible,
  leadNow,
  newUser,
  open,
  pick,
  read,
  signIn,
  staff,
  test,
} from './fixtures'
import { declarations, expectLeft, leadPane, openRow } from './leads'
import type { APIRequestContext } from '@playwright/test'

test.use({ as: staff })

const LIST = 'declarations-of-interest'
const OPEN = `/declarations?status=new&to=${daysAgo(20)}`

const leadOf = (request: APIRequestContext, id: string) => leadNow(request, LIST, id)
const asideUntil = async (request: APIRequestContext, id: string) => (await leadOf(request, id)).snoozeUntil

test(
  'a lead is snoozed, and comes back when that is undone',
  { tag: '@full' },
  async ({ page, context: { request } }) => {
    const id = await openRow(page, OPEN, 7)
    await page.keyboard.press('h')
    const dialog = page.getByRole('dialog', { name: /påminna om/ })
    await expect(dialog.getByRole('listitem').first().getByRole('button')).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('e')
    await expect(page.getByText('Den tangenten gör inget nu. Tryck Esc först.')).toBeVisible()
    await dialog.getByRole('listitem').first().getByRole('button').click()
    await expect(page.getByText(/^Intag påminner om .+ \S+ \d+ \S+\.$/)).toBeVisible()
    await expectLeft(page, id)
    await expect.poll(() => asideUntil(request, id)).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(((await asideUntil(request, id)) ?? '') > new Date().toISOString().slice(0, 10)).toBe(true)
    expect(await declarations(request, `id=${id}&snoozed=false`)).toEqual([])
    expect(await declarations(request, `id=${id}&snoozed=true`)).toMatchObject([{ id }])

    await open(page, `/declarations?lead=${id}`)
    await expect(leadPane(page).getByText(/^Påminns /)).toBeVisible()
    await expectAccessible(page)
    await leadPane(page).getByRole('button', { name: 'Ta bort påminnelsen' }).click()
    await expect.poll(() => asideUntil(request, id)).toBeNull()
    await expect(leadPane(page).getByText(/^Påminns /)).toBeHidden()
  },
)

test('a lead is assigned by a key, a few letters and Enter', async ({ page, context: { request } }) => {
  await signIn(request, await newUser(request))
  const id = await openRow(page, OPEN, 11)
  const { people }: { people: { name: string }[] } = await read(request, '/api/people')
  const other = pick(people, ({ name }) => name !== 'Eva Ek')
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog').getByRole('searchbox')).toBeFocused()
  await page.keyboard.type(other.name.slice(0, 5).toLowerCase())
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await leadOf(request, id)).triage.assignee?.name).toBe(other.name)
  await page.keyboard.press('z')
  await expect.poll(async () => (await leadOf(request, id)).triage.assignee).toBeNull()
})

test('a note names a colleague by @ and letters', { tag: '@full' }, async ({ page, requestAs }) => {
  const { people } = await read(await requestAs(admin), '/api/people')
  await openRow(page, OPEN, 13)
  await page.keyboard.press('n')
  const field = leadPane(page).getByRole('textbox', { name: /anteckning/i })
  await expect(field).toBeFocused()
  await field.pressSequentially('Kan du ringa, @')
  const list = leadPane(page).getByRole('list', { name: 'Kollegor att nämna' }).getByRole('button')
  await expect(list.first()).toBeVisible()
  await expectAccessible(page)
  const name = await list.first().innerText()
  expect(people).toContainEqual(expect.objectContaining({ name }))
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue(`Kan du ringa, @${name} `)
  await expect(list).toHaveCount(0)
  await page.keyboard.press('Control+Enter')
  await expect(leadPane(page).getByText(`Kan du ringa, @${name}`)).toBeVisible()
  await leadPane(page).getByRole('button', { name: 'Visa allt' }).click()
  await expect(leadPane(page).locator('mark')).toHaveText(`@${name}`)
})
