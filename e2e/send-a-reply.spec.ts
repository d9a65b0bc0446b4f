import type { Page } from '@playwright/test'
import { daysAgo, expect, expectAccessible, headers, test } from './fixtures'
import { expectLeft, expectOpen } from './leads'
import { body, composer, pressSend, signOut, writeAsNewUser } from './reply-desk'

// Intag sends itself; the requests are intercepted.

const EARLIER = `/questions?mode=email&to=${daysAgo(70)}`

/** Answers each mail like this. Returns the mails. */
async function answerMails(page: Page, status: number, json: object = {}, reason?: string) {
  const mails: { key: string; body: string }[] = []
  await page.route('**/api/replies', async (route) => {
    if (route.request().method() === 'GET') return route.fulfill({ json: { canSend: true } })
    mails.push(route.request().postDataJSON())
    return route.fulfill({ status, json, ...(reason && { headers: { 'intag-reason': reason } }) })
  })
  return mails
}

/** Lets time pass (`page.clock.install()`) until this holds. */
async function passTimeUntil(page: Page, stepMs: number, holds: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(stepMs)
    await holds()
  }).toPass({ intervals: [50] })
}

test('after a colleague’s answer a second one needs a second press', async ({ page, requestAs }) => {
  const mails = await answerMails(page, 500)
  const id = await writeAsNewUser(page, 10, 'Ja.')
  const attempt = { kind: 'asked-question', id, channel: 'phone', outcome: 'talked' }
  await (await requestAs('admin')).post('/api/attempts', { headers, data: attempt })
  await expect(page.getByText(/ringde .*, medan du skrev\. Ditt utkast finns kvar\./)).toBeVisible()
  await body(page).press('Control+Enter')
  await expect(composer(page).getByText(/^Redan besvarat\./)).toBeVisible()
  await expect(page.getByRole('timer')).toHaveCount(0)
  await body(page).press('Control+Enter')
  await expect(page.getByRole('timer').first()).toBeVisible()
  await page.keyboard.press('z')
  await expectOpen(page, id)
  await expect(body(page)).toHaveValue(/Ja\./)
  await expect(page.getByRole('timer')).toHaveCount(0)
  expect(mails).toEqual([])
})

test('signing out sends a waiting reply first', async ({ page }) => {
  // A delayed mail waits to the end of the test.
  await page.addInitScript(() => {
    const plain = window.setTimeout
    window.setTimeout = ((job: () => void, ms?: number) => plain(job, ms === 5_000 ? 300_000 : ms)) as typeof setTimeout
  })
  const mails = await answerMails(page, 200, { undo: 'x', attempt: null })
  await writeAsNewUser(page, 2, 'Ja.', EARLIER)
  await pressSend(page)
  await expect(page.getByRole('timer').first()).toBeVisible()
  const sentBefore = page.waitForRequest('**/api/auth/signout').then(() => mails.length)
  await signOut(page)
  await expect(page).toHaveURL(/\/signin/)
  expect(await sentBefore).toBe(1)
})

test('an ended session leads back to the unsent reply', async ({ page, allowError }) => {
  allowError(/401/)
  const mails = await answerMails(page, 401)
  await page.clock.install()
  const id = await writeAsNewUser(page, 11, 'Ja, gärna.')
  await pressSend(page)
  await expectLeft(page, id)
  const dialog = page.getByRole('dialog', { name: 'Du har loggats ut' })
  await passTimeUntil(page, 2_500, () => expect(dialog).toBeVisible({ timeout: 200 }))
  await expectOpen(page, id)
  await expect(dialog.getByRole('link')).toHaveAttribute('href', new RegExp(encodeURIComponent(`lead=${id}`)))
  const behind = await dialog.evaluate((element) => getComputedStyle(element, '::backdrop').backgroundColor)
  expect(behind, 'nothing of the page shows through').not.toMatch(/\/|rgba/)
  const later: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) later.push(request.url())
  })
  await page.clock.runFor(30_000)
  expect(later, 'an open tab asks for no more data').toEqual([])
  expect(mails).toHaveLength(1)
  await page.reload()
  await expect(body(page)).toHaveValue(/Ja, gärna\./)
})

test('a mail of unknown fate keeps its text, and asks what came of it', async ({ page, allowError }) => {
  allowError(/502/)
  const mails = await answerMails(page, 502, {}, 'unknown')
  await page.clock.install()
  const id = await writeAsNewUser(page, 6, 'Ja, gärna.')
  await pressSend(page)
  await expectLeft(page, id)
  const notice = page.getByText('Vi vet inte om mejlet skickades.').first()
  await passTimeUntil(page, 2_500, () => expect(notice).toBeVisible({ timeout: 200 }))
  await page.getByRole('button', { name: 'Öppna', exact: true }).click()
  await expectOpen(page, id)
  await expect(body(page)).toHaveValue(/Ja, gärna\./)
  const question = composer(page).getByRole('group', { name: 'Skickades mejlet?' })
  await expect(question).toBeVisible()
  await expectAccessible(page)
  await page.clock.runFor(1_000)
  await question.getByRole('button', { name: 'Skicka igen' }).click()
  await passTimeUntil(page, 2_500, () => expect.poll(() => mails.length, { timeout: 200 }).toBe(2))
  const [first, second] = mails
  expect(second?.body).toBe(first?.body)
  expect(second?.key, 'whoever wants to sends it as another mail').not.toBe(first?.key)
})
