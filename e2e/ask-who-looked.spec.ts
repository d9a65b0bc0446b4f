import { admin, awake, downloaded, expect, expectAccessible, expectUsable, open, read, staff, test } from './fixtures'
import { declarations, openMore, openRow, rows, search } from './leads'
import { HURRIED, ownDemo } from './own-server'

const ORIGIN = ownDemo(3107, { DEMO_TIER: 'S', ...HURRIED })
const headers = { origin: ORIGIN }
test.use({ as: admin })

test('an administrator sees who has opened a contact, also as a file', { tag: '@full' }, async ({ page, pageAs }) => {
  const reader = await pageAs(staff)
  await openRow(reader, '/declarations', 0)
  await openMore(reader)
  const link = reader.getByRole('link', { name: 'Visa hela kontakten' })
  await open(page, (await link.getAttribute('href')) ?? '')
  await page.getByRole('link', { name: 'Vem har tittat?' }).click()
  await expect(page.getByRole('heading', { name: 'Vem har tittat på personens ärenden' })).toBeVisible()
  const opened = page.getByRole('table', { name: 'Öppnat och ändrat' })
  await expect(opened.getByRole('row').filter({ hasText: 'Sara Lindqvist' }).first()).toContainText(/Öppnade/)
  await expectAccessible(page)
  const file = await downloaded(page, () => page.getByRole('link', { name: 'Spara som CSV' }).click())
  expect(file.text).toContain('Sara Lindqvist;Öppnade')
  await page.reload()
  await expect(opened.getByRole('row').filter({ hasText: 'Gjorde en loggkontroll' }).first()).toBeVisible()
})

test(
  'an administrator finds a person by name; the text is not in the address',
  { tag: '@full' },
  async ({ page, context }) => {
    const [lead] = await declarations(context.request, 'limit=1')
    const name = lead?.user.lastName ?? ''
    await open(page, '/admin/activity/leads')
    await expectAccessible(page)
    await page.getByRole('searchbox', { name: 'Sök person' }).fill(`${lead?.user.firstName} ${name}`)
    await page.getByRole('main').getByRole('listitem').getByRole('button', { name }).first().click()
    await expect(page.getByText(/person(?:er)? har öppnat dem|ingen har öppnat dem/)).toBeVisible()
    expect(decodeURIComponent(page.url())).not.toContain(name)
  },
)

test('unusual reading is asked about, not while typing, and administrators see it', async ({ page: boss, pageAs }) => {
  await open(boss, '/admin/activity/person')
  const limit = boss.getByLabel('Visade ärenden per timme')
  await limit.fill('5')
  await boss.getByRole('button', { name: 'Spara' }).click()
  await expect(boss.getByText('Ett tal från 50 till 1 000 000.')).toBeVisible()
  await limit.fill('60')
  await boss.getByRole('button', { name: 'Spara' }).click()
  await expect(boss.getByText('Gränserna är sparade.')).toBeVisible()

  const page = await pageAs(staff)
  await open(page, '/declarations')
  await search(page).first().focus()
  await declarations(page.request, 'limit=300')
  await expect
    .poll(async () => (await read(boss.request, '/api/reading/unusual')).hours, { timeout: 20_000 })
    .toMatchObject([{ user: { name: 'Sara Lindqvist' }, reason: null }])
  const dialog = page.getByRole('dialog', { name: 'Du har läst mer än vanligt' })
  await rows(page).first().click()
  await expect(dialog).toBeVisible({ timeout: 15_000 })

  await open(boss, '/admin/status')
  await expect(boss.getByText('En person har läst mer än vanligt')).toBeVisible()
  await expect(boss.getByText('Ett svar väntas ännu.')).toBeVisible()

  await dialog.getByRole('button', { name: 'Senare' }).click()
  await expect(dialog).toBeHidden()
  await rows(page).nth(1).click()
  await page.reload()
  await awake(page)
  await rows(page).nth(2).click()
  await expect(dialog, 'for a quarter of an hour').toBeHidden()
  const data = { reason: 'Ringde inför öppet hus' }
  const answer = await page.request.post('/api/reading/question', { headers, data })
  expect(await answer.json()).toEqual({ explained: 1 })

  await boss.getByRole('link', { name: /^Sara Lindqvist/ }).click()
  await expect(boss.getByRole('table', { name: 'Timme för timme' })).toContainText('Ringde inför öppet hus')
  await expect(boss.getByText('Alla har svarat varför.')).toBeVisible()
})

test('the dialog needs an answer, and takes it', async ({ page, context: { request } }) => {
  await declarations(request, 'limit=300')
  await expect
    .poll(async () => (await read(request, '/api/reading/question')).hours, { timeout: 20_000 })
    .toHaveLength(1)
  await open(page, '/declarations')
  const dialog = page.getByRole('dialog', { name: 'Du har läst mer än vanligt' })
  await expect(dialog).toBeVisible({ timeout: 15_000 })
  await dialog.getByRole('button', { name: 'Skicka' }).click()
  await expect(dialog.getByText('Skriv med några ord varför.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Varför?').fill('Kontroll av listan')
  await dialog.getByRole('button', { name: 'Skicka' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Tack! Svaret är sparat.')).toBeVisible()
  const { hours } = await read(request, '/api/reading/unusual')
  expect(hours).toContainEqual(expect.objectContaining({ reason: 'Kontroll av listan' }))
})

test('the screens fit a phone', async ({ page, context }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  const { users } = await read(context.request, '/api/users')
  for (const path of ['leads', `person?user=${users[0].id}`]) {
    await open(page, `/admin/activity/${path}`)
    await expect(page.getByText(/personer har läst mer än vanligt/)).toBeVisible()
    await expectUsable(page)
  }
})
