import type { APIRequestContext, Page } from '@playwright/test'
import { readEmailAndPhone } from '@/lib/inbox/lead-text'
import { daysAgo, expect, expectAccessible, joinAsNew, leadNow, open, test } from './fixtures'
import { clickRow, expectLeft, expectOpen, expectStatus, openLeadId, press } from './leads'
import {
  body,
  composer,
  framed,
  keptReplies,
  openAsNewUser,
  openReply,
  pressSend,
  saySent,
  wasItSent,
  writeAsNewUser,
  writeReply,
} from './reply-desk'

const QUESTIONS = 'asked-questions'
const CALLS = `/questions?status=new&mode=phone&to=${daysAgo(40)}`

const attemptsOf = async (request: APIRequestContext, id: string) => (await leadNow(request, QUESTIONS, id)).attempts
const expectAttempts = (page: Page, id: string, count: number) =>
  expect.poll(async () => (await attemptsOf(page.request, id)).count).toBe(count)

test('a question is answered with r and Ctrl+Enter, and undone with its text', async ({ page }) => {
  await openAsNewUser(page, `/questions?status=new&mode=email&to=${daysAgo(85)}`)
  await openReply(page, 'Ja, det går bra.')
  const id = openLeadId(page)
  await expectAccessible(page)
  await page.keyboard.press('Control+Enter')
  await page.keyboard.press('Control+Enter')
  await expect(wasItSent(page), 'opened is not sent').toBeFocused()
  await expectAccessible(page)
  await page.reload()
  await expect(wasItSent(page)).toBeVisible()
  await expect(body(page)).toHaveValue(framed('Ja, det går bra\\.'))
  expect((await attemptsOf(page.request, id)).count).toBe(0)
  await expectStatus(page, QUESTIONS, id, 'new')
  await saySent(page)
  await expectLeft(page, id)
  await expectStatus(page, QUESTIONS, id, 'handled')
  const last = { channel: 'email', outcome: 'sent', by: { name: 'Eva Ek' } }
  expect(await attemptsOf(page.request, id)).toMatchObject({ count: 1, last })

  await page.getByRole('button', { name: 'Ångra' }).click()
  await expectOpen(page, id)
  await expect(body(page)).toHaveValue(/Ja, det går bra\./)
  await expect(wasItSent(page)).toBeVisible()
  await expectStatus(page, QUESTIONS, id, 'new')
  await expectAttempts(page, id, 0)
})

test('a school that mails with Outlook opens it there; a text too long is copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await context.route('https://outlook.office.com/**', (route) => route.fulfill({ body: 'Outlook' }))
  await joinAsNew(page)
  const { highSchools } = await (await page.request.get('/api/high-schools')).json()
  const ways = Object.fromEntries(highSchools.map((school: { id: string }) => [school.id, 'outlook']))
  await page.route('**/api/replies', (route) => route.fulfill({ json: { canSend: true, ways } }))
  const id = await writeReply(page, 9, 'Ja & nej.')
  const { email } = readEmailAndPhone(await leadNow(page.request, QUESTIONS, id))
  const openedBy = async (name: RegExp) => {
    const popup = page.waitForEvent('popup')
    await composer(page).getByRole('button', { name }).click()
    const opened = await popup
    await opened.waitForURL(/outlook/)
    return opened
  }
  const opened = await openedBy(/^Öppna i Outlook/)
  const { searchParams } = new URL(opened.url())
  expect(searchParams.get('to')).toBe(email)
  expect(searchParams.get('body')).toContain('\r\nJa & nej.\r\n')
  expect(await opened.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])
  await opened.close()
  await body(page).fill('Så här är det på åttan. '.repeat(120))
  const again = await openedBy(/^Öppna igen/)
  expect(new URL(again.url()).searchParams.has('body')).toBe(false)
  await again.close()
  await expect(wasItSent(page).getByText('Texten är kopierad. Klistra in den')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('på åttan. Så här')
})

test('an unsent reply survives reload and Escape, and is not lost to a decision', async ({ page }) => {
  const id = await writeAsNewUser(page, 10, 'Halvskrivet')
  const address = page.url()
  const draft = page.getByRole('option', { selected: true }).getByText('Utkast', { exact: true })
  await expect(draft, 'while it is written').toBeVisible()
  await page.reload()
  await expect(body(page)).toHaveValue(/Halvskrivet/)
  expect(page.url()).toBe(address)
  await body(page).press('Escape')
  await expect(page.locator('main [data-covers]'), 'the lead').toBeFocused()
  expect(openLeadId(page)).toBe(id)
  await openReply(page, ' ord')
  await expect(body(page)).toHaveValue(framed('Halvskrivet ord'))

  await press(page, 'Escape e')
  const question = page.getByRole('dialog', { name: 'Du har ett utkast som inte är skickat' })
  await expect(question.getByRole('button', { name: 'Behåll' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(body(page)).toHaveValue(/Halvskrivet ord/)
  await expectStatus(page, QUESTIONS, id, 'new')
  await page.getByRole('button', { name: 'Markera hanterad' }).click()
  await question.getByRole('button', { name: 'Markera hanterad, kasta utkastet' }).click()
  await expectStatus(page, QUESTIONS, id, 'handled')
  expect(await keptReplies(page)).toBe(0)
  await expect(page.getByText('Utkast', { exact: true })).toHaveCount(0)
})

test('what was written is saved as an own template, and chosen', async ({ page }) => {
  await openAsNewUser(page, '/questions?status=new&mode=email&topic=transport')
  await openReply(page, 'Bussen går ända fram.')
  const email = await composer(page).getByText('@').first().textContent()
  await composer(page).getByRole('textbox', { name: 'Ämne' }).fill(`Bussen, ${email}`)
  await composer(page).getByRole('button', { name: 'Spara som mall' }).click()
  const dialog = page.getByRole('dialog', { name: 'Spara som mall' })
  await expect(dialog.getByRole('textbox', { name: 'Text' })).toHaveValue('Bussen går ända fram.')
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'Namn' }).fill('Zebrabuss')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  const { templates } = await (await page.request.get('/api/templates')).json()
  expect(JSON.stringify(templates), 'a subject that names the person is not kept').not.toContain(email)

  await body(page).fill('Hej!\n')
  await composer(page).getByRole('button', { name: 'Välj mall' }).click()
  await expect(page.getByRole('menu', { name: 'Välj mall' })).toHaveText(/Zebrabuss.*Mallar för alla/)
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Zebrabuss' }).click()
  await expect(body(page)).toHaveValue('Hej!\n\nBussen går ända fram.')
})

test('a call has a link and a key for each outcome; a wrong one is undone', async ({ page }) => {
  await openAsNewUser(page, CALLS)
  const id = await clickRow(page, 2)
  const panel = page.getByRole('region', { name: 'Ring', exact: true })
  await expect(panel.getByRole('link', { name: 'Ring' })).toHaveAttribute('href', /^tel:\+/)
  await expectAccessible(page)
  await page.keyboard.press('1')
  await expectStatus(page, QUESTIONS, id, 'handled')
  await expectLeft(page, id)
  await page.keyboard.press('z')
  await expectOpen(page, id)
  await expectAttempts(page, id, 0)
  await expect(panel).toBeVisible()
  await page.keyboard.press('2')
  await expect(panel.getByText(/^Ett försök, senast i dag/)).toBeVisible()
  expect(openLeadId(page), 'one may try again at once').toBe(id)
  const snoozeUntil = async () => (await leadNow(page.request, QUESTIONS, id)).snoozeUntil
  await page.keyboard.press('4')
  await expectLeft(page, id)
  await expect.poll(snoozeUntil).not.toBeNull()
  await page.keyboard.press('z')
  await expectOpen(page, id)
  await expect.poll(snoozeUntil).toBeNull()
  await expectAttempts(page, id, 1)
  await page.keyboard.press('r')
  await expect(page.getByRole('group', { name: 'Hur gick det?' })).toBeFocused()
})

test('what could not be noted is asked again', async ({ page, allowError }) => {
  allowError(/503/)
  // Retried soon: its own pauses may be longer than the notice is waited for.
  const unavailable = { status: 503, headers: { 'retry-after': '1' }, json: { error: 'Unavailable' } }
  await page.route('**/api/attempts', (route) => route.fulfill(unavailable))
  const id = await writeAsNewUser(page, 4, 'Ja, det går bra.')
  await pressSend(page)
  await wasItSent(page).getByRole('button', { name: 'Ja' }).click()
  await expect(page.getByText(/ändringen kunde inte sparas och har ångrats\./)).toBeVisible()
  await page.unroute('**/api/attempts')
  await open(page, `/questions?lead=${id}`)
  await expect(body(page)).toHaveValue(/Ja, det går bra\./)
  await saySent(page)
  await expectAttempts(page, id, 1)
  await expectStatus(page, QUESTIONS, id, 'handled')
  expect(await keptReplies(page)).toBe(0)
})
