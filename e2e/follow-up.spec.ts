import type { APIRequestContext } from '@playwright/test'
import {
  admin,
  anotherPerson,
  comeIn,
  daysAgo,
  DEMO,
  expect,
  expectAccessible,
  expectToFit,
  leadNow,
  leadPane,
  newPerson,
  open,
  openLeadId,
  openRow,
  PHONE,
  signIn,
  staff,
  test,
} from './fixtures'

const LIST = 'declarations-of-interest'
const OPEN = `/declarations?status=new&to=${daysAgo(20)}`

const leadOf = async (request: APIRequestContext, id: string) => leadNow(request, LIST, id)

async function ids(request: APIRequestContext, query: string): Promise<string[]> {
  const answer = await (await request.get(`${DEMO}/api/${LIST}?limit=100&${query}`)).json()
  return answer.declarationsOfInterest.map(({ id }: { id: string }) => id)
}

test('who takes a lead stays with it', { tag: '@full' }, async ({ page, context }) => {
  await comeIn(context, staff)
  const id = await openRow(page, OPEN, 5)
  await page.keyboard.press('p')
  await expect.poll(async () => (await leadOf(context.request, id)).triage.status).toBe('in-progress')
  expect(openLeadId(page)).toBe(id)
  await page.keyboard.press('z')
  await expect.poll(async () => (await leadOf(context.request, id)).triage.status).toBe('new')
})

test('a lead is put aside with a reason, leaves the work, and comes back when it is taken back', async ({
  page,
  context,
}) => {
  await comeIn(context, staff)
  const id = await openRow(page, OPEN, 7)
  await page.keyboard.press('h')
  const dialog = page.getByRole('dialog', { name: /återkomma/ })
  await expect(dialog.getByRole('listitem').first().getByRole('button')).toBeFocused()
  await expectAccessible(page)
  await dialog.getByLabel(/^Varför/).fill('Väntar på betyg')
  await dialog.getByRole('listitem').first().getByRole('button').click()
  await expect(page.getByText(/ återkommer \S+ \d+ \S+\.$/)).toBeVisible()
  await expect(page, 'the next one comes up').not.toHaveURL(new RegExp(`lead=${id}(&|$)`))
  await expect.poll(async () => (await leadOf(context.request, id)).snoozeUntil ?? '').toMatch(/^\d{4}-\d{2}-\d{2}$/)
  const until = (await leadOf(context.request, id)).snoozeUntil ?? ''
  expect(until > new Date().toISOString().slice(0, 10)).toBe(true)
  expect(await ids(context.request, `id=${id}&snoozed=false`)).toEqual([])
  expect(await ids(context.request, `id=${id}&snoozed=true`)).toEqual([id])
  const { notes } = await (
    await context.request.get(`${DEMO}/api/notes?kind=declaration-of-interest&id=${encodeURIComponent(id)}`)
  ).json()
  expect(notes.at(-1).text).toBe('Väntar på betyg')

  await open(page, `/declarations?lead=${id}`)
  await expect(leadPane(page).getByText(/^Återkommer /)).toBeVisible()
  await expectAccessible(page)
  await leadPane(page).getByRole('button', { name: 'Ta tillbaka nu' }).click()
  await expect.poll(async () => (await leadOf(context.request, id)).snoozeUntil).toBeNull()
  await expect(leadPane(page).getByText(/^Återkommer /)).toBeHidden()
})

test('putting aside is undone by one key, and the lead is there again', async ({ page, context }) => {
  await comeIn(context, staff)
  const id = await openRow(page, OPEN, 9)
  await page.keyboard.press('h')
  await expect(page.getByRole('dialog', { name: /återkomma/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await leadOf(context.request, id)).snoozeUntil).not.toBeNull()
  await page.keyboard.press('z')
  await expect.poll(async () => (await leadOf(context.request, id)).snoozeUntil).toBeNull()
  await expect(page).toHaveURL(new RegExp(`lead=${id}(&|$)`))
})

test('a lead is handed over by a key, a few letters and Enter', async ({ page, context }) => {
  const { email, password } = await newPerson(context.request, { role: 'staff' })
  await signIn(context.request, { email, password })
  const id = await openRow(page, OPEN, 11)
  const { people } = await (await context.request.get(`${DEMO}/api/people`)).json()
  const other = people.find(({ name }: { name: string }) => name !== 'Eva Ek')
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog').getByRole('searchbox')).toBeFocused()
  await page.keyboard.type(other.name.slice(0, 5).toLowerCase())
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await leadOf(context.request, id)).triage.assignee?.name).toBe(other.name)
  await page.keyboard.press('z')
  await expect.poll(async () => (await leadOf(context.request, id)).triage.assignee).toBeNull()
})

test(
  'a colleague is named in a note by @ and letters, and the name is marked',
  { tag: '@full' },
  async ({ page, context, playwright }) => {
    await comeIn(context, staff)
    const boss = await anotherPerson(playwright, admin)
    const { people } = await (await boss.get(`${DEMO}/api/people`)).json()
    const me = await (await boss.get(`${DEMO}/api/account/leave`)).json()
    expect(me).toEqual({ until: null })
    await openRow(page, OPEN, 13)
    const field = leadPane(page).getByRole('textbox', { name: /anteckning/i })
    await field.click()
    await field.pressSequentially('Kan du ringa, @')
    const list = leadPane(page).getByRole('listbox', { name: 'Kollegor att nämna' })
    await expect(list.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
    await expectAccessible(page)
    const name = (await list.getByRole('option').first().innerText()).split('\n').at(-1) ?? ''
    expect(people.map((person: { name: string }) => person.name)).toContain(name)
    await page.keyboard.press('Enter')
    await expect(field).toHaveValue(`Kan du ringa, @${name} `)
    await expect(list).toBeHidden()
    await page.keyboard.press('Control+Enter')
    await expect(leadPane(page).locator('mark')).toHaveText(`@${name}`)
    await boss.dispose()
  },
)

test.describe('on a phone', () => {
  test.use(PHONE)

  test('the thumb puts a lead aside', { tag: '@full' }, async ({ page, context }) => {
    await comeIn(context, staff)
    const id = await openRow(page, OPEN, 3)
    await page.getByRole('group', { name: 'Åtgärder' }).getByRole('button', { name: 'Återkom' }).click()
    const dialog = page.getByRole('dialog', { name: /återkomma/ })
    await expect(dialog).toBeVisible()
    await expectToFit(page)
    await dialog.getByRole('listitem').last().getByRole('button').click()
    await expect.poll(async () => (await leadOf(context.request, id)).snoozeUntil).not.toBeNull()
    await context.request.patch(`${DEMO}/api/triage`, {
      headers: { origin: DEMO },
      data: { leads: [{ kind: 'declaration-of-interest', id }], snoozeUntil: null },
    })
  })
})
