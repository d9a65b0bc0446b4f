import type { Page } from '@playwright/test'
import { admin, changeAnswers, daysAgo, expect, expectAccessible, headers, passTimeUntil, test } from './fixtures'
import { clickRow, expectLeft, expectOpen } from './leads'
import { body, composer, openAsNewUser, pressSend, signOut, writeAsNewUser } from './reply-desk'

// Intag sends itself; the requests are intercepted.

const EARLIER = `/questions?mode=email&to=${daysAgo(70)}`

/** Answers each mail like this. Returns the mails. */
async function answerMails(page: Page, status: number, json: object = {}): Promise<unknown[]> {
  const mails: unknown[] = []
  await page.route('**/api/replies', async (route) => {
    if (route.request().method() === 'GET') return route.fulfill({ json: { canSend: true } })
    mails.push(route.request().postDataJSON())
    return route.fulfill({ status, json })
  })
  return mails
}

/** A delayed mail waits to the end of the test. */
const delaySending = (page: Page) =>
  page.addInitScript(() => {
    const plain = window.setTimeout
    window.setTimeout = ((job: () => void, ms?: number) => plain(job, ms === 5_000 ? 300_000 : ms)) as typeof setTimeout
  })

test('after a colleague’s answer a second one needs a second press', async ({ page, requestAs }) => {
  const mails = await answerMails(page, 500)
  const id = await writeAsNewUser(page, 10, 'Ja.')
  const attempt = { kind: 'asked-question', id, channel: 'phone', outcome: 'talked' }
  await (await requestAs(admin)).post('/api/attempts', { headers, data: attempt })
  await expect(page.getByText(/ringde .*, medan du skrev\. Ditt utkast finns kvar\./)).toBeVisible()
  await body(page).press('Control+Enter')
  await expect(composer(page).getByText(/^Redan besvarat\./)).toBeVisible()
  await expect(page.getByRole('timer')).toHaveCount(0)
  await body(page).press('Control+Enter')
  await expect(page.getByRole('timer').first()).toBeVisible()
  await page.getByRole('button', { name: 'Ångra' }).first().click()
  expect(mails).toEqual([])
})

test('signing out sends a waiting reply first', async ({ page }) => {
  await delaySending(page)
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

test('a mail that may have been sent is shown, and settled by an answer', async ({ page }) => {
  const settled = await answerMails(page, 200, { wasSent: true })
  let isUnsure = true
  type Answer = { etag: string; askedQuestions?: { attempts: object }[] }
  await changeAnswers(page, '**/api/asked-questions?*', (answer: Answer) => {
    if (!isUnsure) return
    for (const lead of answer.askedQuestions ?? [])
      lead.attempts = { ...lead.attempts, unsure: { id: '7', at: new Date().toISOString() } }
    answer.etag = 'unsure'
  })
  await openAsNewUser(page)
  // The first list came with the page; this one is fetched.
  await page.keyboard.press('c')
  await expect(page).not.toHaveURL(/mode=/)
  const id = await clickRow(page, 0)
  const notice = page.getByRole('status').filter({ hasText: /Kanske skickad \d\d:\d\d/ })
  await expect(notice).toBeVisible()
  await expectAccessible(page)
  isUnsure = false
  await notice.getByRole('button', { name: 'Det kom fram' }).click()
  await expect.poll(() => settled).toEqual([{ kind: 'asked-question', id, attempt: '7', wasSent: true }])
  await expect(notice).toBeHidden()
})
