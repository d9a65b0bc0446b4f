import {
  admin,
  comeIn,
  DEMO,
  expect,
  fetchNothingAhead,
  holdCode,
  manager,
  open,
  openLeadId,
  rows,
  staff,
  statusOf,
  test,
} from './fixtures'

test('what is typed while the palette opens goes into its field', async ({ page, context }) => {
  await fetchNothingAhead(page)
  await comeIn(context, staff)
  await open(page, '/declarations?status=new')
  await rows(page).nth(4).click()
  const id = openLeadId(page)
  const codeComes = await holdCode(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('expu')
  codeComes()
  await expect(page.getByRole('combobox')).toHaveValue('expu')
  await page.keyboard.type('z')
  await expect(page.getByRole('combobox')).toHaveValue('expuz')
  expect(await statusOf(page.request, 'declarations-of-interest', id)).toBe('new')
})

test('what is typed while a dialog opens finds the colleague', async ({ page, context }) => {
  await comeIn(context, admin)
  const headers = { origin: DEMO }
  const made: string[] = []
  for (const name of ['Kajsa Ek', 'Karin Lund', 'Bo Ask', 'Ola Dahl', 'Pia Ros', 'Eva Gran'])
    made.push(
      (
        await (
          await context.request.post('/api/users', {
            headers,
            data: { name, email: `${crypto.randomUUID()}@skola.example`, role: 'staff', schools: 'all' },
          })
        ).json()
      ).id,
    )
  await fetchNothingAhead(page)
  await open(page, '/declarations?status=new')
  await rows(page).nth(5).click()
  const id = openLeadId(page)
  await page.keyboard.press('a')
  await page.keyboard.type('kaj')
  await expect(page.getByRole('dialog').getByRole('searchbox')).toHaveValue('kaj')
  await expect(
    page
      .getByRole('dialog')
      .getByRole('button', { name: /Kajsa Ek/ })
      .first(),
  ).toBeVisible()
  expect(await statusOf(page.request, 'declarations-of-interest', id)).toBe('new')
  for (const user of made) await context.request.patch(`/api/users/${user}`, { headers, data: { disabled: true } })
})

test(
  'the palette finds a person and what was sent, in both lists, with what matched marked',
  { tag: '@full' },
  async ({ page, context }) => {
    await comeIn(context, staff)
    const { declarationsOfInterest } = await (
      await context.request.get('/api/declarations-of-interest?limit=200')
    ).json()
    const { user, contactId } = declarationsOfInterest.find(
      (item: { user: { firstName: string | null; lastName: string | null } }) =>
        item.user.firstName && item.user.lastName,
    )
    const name = `${user.firstName} ${user.lastName}`
    await open(page, '/declarations')
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox')
    await field.fill(name)
    const people = page.getByRole('group', { name: 'Personer' })
    await expect(people.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
    await expect(people.locator('mark').first()).toBeVisible()
    await expect(page.getByRole('group', { name: 'Intresseanmälningar' }).getByRole('option').first()).toBeVisible()
    await field.fill('öppet hus')
    await expect(page.getByRole('group', { name: 'Frågor' }).locator('mark').first()).toBeVisible()

    // Enter at once, before the answer is here, opens the first of this text and not of the last.
    await field.fill(user.email ?? name)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/contacts\//)
    if (user.email) await expect(page).toHaveURL(new RegExp(encodeURIComponent(contactId)))
  },
)

test('the palette takes a search to the list, outside the address', { tag: '@full' }, async ({ page, context }) => {
  await comeIn(context, staff)
  await open(page, '/declarations')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('anna')
  await page.getByRole('option', { name: /Sök i Frågor efter/ }).click()
  await expect(page).toHaveURL(/\/questions$/)
  await expect(page.getByRole('searchbox')).toHaveValue('anna')
})

test('whoever may only count finds commands in the palette and nobody by name', async ({ page, context }) => {
  await comeIn(context, manager)
  await open(page, '/interest')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('åsa öberg')
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText('Inga träffar')
  expect(asked.filter((url) => /asked-questions|declarations-of-interest/.test(url))).toEqual([])
})
