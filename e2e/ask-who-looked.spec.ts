import { readFile } from 'node:fs/promises'
import type { APIRequestContext, Page } from '@playwright/test'
import { admin, expect, expectAccessible, expectToFit, manager, open, rows, signIn, staff, test } from './fixtures'
import { HURRIED, startFresh } from './own-server'

const ORIGIN = 'http://localhost:3107'
const headers = { origin: ORIGIN }
test.use({ baseURL: ORIGIN })
test.describe.configure({ mode: 'serial' })

let stop = async () => {}
test.beforeAll(async () => {
  test.setTimeout(90_000)
  ;({ stop } = await startFresh(3107, { DEMO_TIER: 'S', ...HURRIED }))
})
test.afterAll(() => stop())

/** Somebody signed in with a page of their own. */
async function as(page: Page, account: { email: string; password: string }): Promise<APIRequestContext> {
  const { request } = page.context()
  await signIn(request, account, ORIGIN)
  return request
}

test('an administrator follows from a contact who has opened it, and keeps the answer as a file', async ({
  page,
  browser,
}) => {
  const theirs = await browser.newContext({ baseURL: ORIGIN, locale: 'sv-SE' })
  const reader = await theirs.newPage()
  await as(reader, staff)
  await open(reader, '/declarations')
  await rows(reader).first().click()
  const link = reader.getByRole('link', { name: /Visa kontakten|kontakt/i }).first()
  await expect(link).toBeVisible()
  const contact = (await link.getAttribute('href')) ?? ''
  await theirs.close()

  await as(page, admin)
  await open(page, contact)
  await page.getByRole('link', { name: 'Vem har tittat?' }).click()
  await expect(page.getByRole('heading', { name: 'Vem har tittat på personens ärenden' })).toBeVisible()
  const opened = page.getByRole('table', { name: 'Öppnat och ändrat' })
  await expect(opened.getByRole('row').filter({ hasText: 'Sara Lindqvist' }).first()).toContainText(/Öppnade/)
  await expectAccessible(page)
  const saved = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Spara som CSV' }).click()
  const file = await readFile(await (await saved).path(), 'utf8')
  expect(file).toContain('Sara Lindqvist;Öppnade')
  await page.reload()
  await expect(opened.getByRole('row').filter({ hasText: 'Gjorde en loggkontroll' }).first()).toBeVisible()
})

test('an administrator finds a person by name; the text is not in the address', async ({ page }) => {
  const request = await as(page, admin)
  const { declarationsOfInterest } = await (await request.get('/api/declarations-of-interest?limit=1')).json()
  const { firstName, lastName } = declarationsOfInterest[0].user
  await open(page, '/admin/activity/leads')
  await expectAccessible(page)
  await page.getByRole('searchbox', { name: 'Sök person' }).fill(`${firstName} ${lastName}`)
  await page.getByRole('main').getByRole('listitem').getByRole('button', { name: lastName }).first().click()
  await expect(page.getByText(/person(?:er)? har öppnat dem|ingen har öppnat dem/)).toBeVisible()
  expect(decodeURIComponent(page.url())).not.toContain(lastName)
})

test('who reads more than usual is asked why, at a better moment if they write; the administrators see it meanwhile', async ({
  page,
  browser,
}) => {
  const theirs = await browser.newContext({ baseURL: ORIGIN, locale: 'sv-SE' })
  const desk = await theirs.newPage()
  const boss = await as(desk, admin)
  await open(desk, '/admin/activity/person')
  await desk.getByLabel('Visade ärenden per timme').fill('5')
  await desk.getByRole('button', { name: 'Spara' }).click()
  await expect(desk.getByText('Ett tal från 50 till 1 000 000.')).toBeVisible()
  await desk.getByLabel('Visade ärenden per timme').fill('60')
  await desk.getByRole('button', { name: 'Spara' }).click()
  await expect(desk.getByText('Gränserna är sparade.')).toBeVisible()

  const request = await as(page, staff)
  await open(page, '/declarations')
  await page.getByRole('searchbox').first().focus()
  await request.get('/api/declarations-of-interest?limit=300')
  await expect(async () => {
    const { hours } = await (await boss.get('/api/reading/unusual')).json()
    expect(hours).toMatchObject([{ user: { name: 'Sara Lindqvist' }, reason: null }])
  }).toPass({ timeout: 20_000 })
  const dialog = page.getByRole('dialog', { name: 'Du har läst mer än vanligt' })
  await rows(page).first().click()
  await expect(dialog).toBeVisible({ timeout: 15_000 })

  await open(desk, '/admin/status')
  await expect(desk.getByText('En person har läst mer än vanligt')).toBeVisible()
  await expect(desk.getByText('Ett svar väntas ännu.')).toBeVisible()

  await dialog.getByRole('button', { name: 'Senare' }).click()
  await expect(dialog).toBeHidden()
  await rows(page).nth(1).click()
  await page.reload()
  await rows(page).nth(2).click()
  await expect(dialog, 'for a quarter of an hour').toBeHidden()
  const answer = await request.post('/api/reading/question', { headers, data: { reason: 'Ringde inför öppet hus' } })
  expect(await answer.json()).toEqual({ explained: 1 })

  await desk.getByRole('link', { name: /^Sara Lindqvist/ }).click()
  await expect(desk.getByRole('table', { name: 'Timme för timme' })).toContainText('Ringde inför öppet hus')
  await expect(desk.getByText('Alla har svarat varför.')).toBeVisible()
  await theirs.close()
})

test('the answer is given in the dialog; without one it says so', async ({ page }) => {
  const request = await as(page, admin)
  await request.get('/api/declarations-of-interest?limit=300')
  await expect(async () => {
    const { hours } = await (await request.get('/api/reading/question')).json()
    expect(hours).toHaveLength(1)
  }).toPass({ timeout: 20_000 })
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
  const { hours } = await (await request.get('/api/reading/unusual')).json()
  expect(hours.map(({ reason }: { reason: string }) => reason)).toContain('Kontroll av listan')
})

test('none of it is for others, and that they tried stands in the log', async ({ page }) => {
  const request = await as(page, manager)
  const paths = ['reading/unusual', 'reading/limits', 'log-follow-up/leads?contact=x', 'log-follow-up/people?user=x']
  for (const path of paths) expect((await request.get(`/api/${path}`)).status(), path).toBe(403)
  await open(page, '/admin/activity/leads')
  await expect(page.getByRole('heading', { name: 'Vem har tittat på personens ärenden' })).toBeHidden()
  await signIn(request, admin, ORIGIN)
  await expect(async () => {
    const { entries } = await (await request.get('/api/activity?action=refused')).json()
    const routes = entries.map(({ details }: { details: { route: string } }) => details.route)
    expect(routes).toEqual(expect.arrayContaining(['/api/reading/unusual', '/api/log-follow-up/leads']))
  }).toPass()
})

test('the screens fit a phone, in both languages', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  const request = await as(page, admin)
  const { users } = await (await request.get('/api/users')).json()
  for (const path of ['leads', `person?user=${users[0].id}`]) {
    await open(page, `/admin/activity/${path}`)
    await expect(page.getByText(/personer har läst mer än vanligt/)).toBeVisible()
    await expectToFit(page)
    await expectAccessible(page)
  }
})
