import type { APIRequestContext, Page } from '@playwright/test'
import { admin, changeAnswers, daysAgo, DEMO, expect, expectAccessible, open, passTimeUntil, test } from './fixtures'
import { expectLeft, expectOpen, openLeadId, rows } from './leads'
import { body, comes, composer, keptReplies, signsOut, writes } from './reply-desk'

// Where Intag sends itself; what it would send is caught here.

/** More places that no other test has. */
const EARLIER = `/questions?mode=email&to=${daysAgo(70)}`

/** Answers so to each mail that is to be sent; what they were. */
async function sends(page: Page, status: number, json: object = {}, isKnown = Promise.resolve()): Promise<unknown[]> {
  const mails: unknown[] = []
  await page.route('**/api/replies', async (route) => {
    if (route.request().method() === 'GET') {
      await isKnown
      return route.fulfill({ json: { canSend: true } })
    }
    mails.push(route.request().postDataJSON())
    return route.fulfill({ status, json })
  })
  return mails
}

/** However slow the computer, what waits to be sent does so to the end of the test. */
const waitsLong = (page: Page) =>
  page.addInitScript(() => {
    const plain = window.setTimeout
    window.setTimeout = ((job: () => void, ms?: number) => plain(job, ms === 5_000 ? 300_000 : ms)) as typeof setTimeout
  })
const waiting = (page: Page) => page.getByRole('timer').first()

/** A reply to the lead in this row waits to be sent, to the end of the test. */
async function beginsToSend(page: Page, status: number, place: number) {
  await waitsLong(page)
  const mails = await sends(page, status, { undo: 'x', attempt: null })
  await comes(page)
  const id = await writes(page, place, 'Ja.', EARLIER)
  await page.keyboard.press('Control+Enter')
  await expect(waiting(page)).toBeVisible()
  return { mails, id }
}

/** A colleague reaches the person by telephone, and who writes is told. */
async function isCalledMeanwhile(page: Page, colleague: APIRequestContext, id: string) {
  const attempt = { kind: 'asked-question', id, channel: 'phone', outcome: 'talked' }
  await colleague.post('/api/attempts', { headers: { origin: DEMO }, data: attempt })
  await expect(page.getByText(/ringde .*, medan du skrev\. Ditt utkast finns kvar\./)).toBeVisible()
}

test('without an answer, or with what a template left open, nothing begins to be sent', async ({ page }) => {
  const mails = await sends(page, 500)
  await comes(page)
  await writes(page, 8, 'x')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Control+Enter')
  await expect(composer(page).getByRole('button', { name: /^Skicka och klar/ })).toBeDisabled()
  await page.keyboard.type('Hej {name}!')
  await page.keyboard.press('Control+Enter')
  await expect(composer(page).getByText('Ersätt {name} med det som ska stå där')).toBeVisible()
  await expect(page.getByRole('timer')).toHaveCount(0)
  expect(mails).toEqual([])
})

test('whoever was answered by a colleague meanwhile gets a second answer only when it is asked for twice', async ({
  page,
  someone,
}) => {
  const mails = await sends(page, 500)
  await comes(page)
  const id = await writes(page, 10, 'Ja.')
  await isCalledMeanwhile(page, await someone(admin), id)
  await body(page).press('Control+Enter')
  await expect(composer(page).getByText(/^Redan besvarat\./)).toBeVisible()
  await expect(page.getByRole('timer')).toHaveCount(0)
  await body(page).press('Control+Enter')
  await expect(page.getByRole('timer').first()).toBeVisible()
  await page.getByRole('button', { name: 'Ångra' }).first().click()
  expect(mails).toEqual([])
})

test('what waits until its way out is known is held to the same: somebody else has answered by then', async ({
  page,
  someone,
}) => {
  const isKnown = Promise.withResolvers<void>()
  const mails = await sends(page, 500, {}, isKnown.promise)
  await comes(page)
  const id = await writes(page, 0, 'Ja.', EARLIER)
  await page.keyboard.press('Control+Enter')
  await expect(composer(page).getByText('Skickas så snart Intag har kontakt')).toBeVisible()
  await isCalledMeanwhile(page, await someone(admin), id)
  isKnown.resolve()
  await expect(composer(page).getByText(/^Redan besvarat\./)).toBeVisible()
  await expect(page.getByRole('timer')).toHaveCount(0)
  await expect(body(page)).toBeEditable()
  expect(mails).toEqual([])
})

test('z takes it back though something was done after it, once that is taken back by its own button', async ({
  page,
}) => {
  const { mails, id } = await beginsToSend(page, 500, 1)
  await expectLeft(page, id)
  await page.keyboard.press('p')
  const undo = page.getByRole('button', { name: 'Ångra' })
  await expect(undo).toHaveCount(2)
  await undo.last().click()
  await expect(undo).toHaveCount(1)
  await page.keyboard.press('z')
  await expect(page.getByText(/^Mejlet till .* skickas inte\. Texten finns kvar\.$/)).toBeVisible()
  await expectOpen(page, id)
  await expect(page.getByRole('timer')).toHaveCount(0)
  expect(mails).toEqual([])
})

test('whoever signs out meanwhile has it sent first', async ({ page }) => {
  const { mails } = await beginsToSend(page, 200, 2)
  const sentBefore = page.waitForRequest('**/api/auth/signout').then(() => mails.length)
  await signsOut(page)
  await expect(page).toHaveURL(/\/signin/)
  expect(await sentBefore).toBe(1)
})

test.describe('and cannot send it when one signs out', () => {
  test.use({ allowedError: /502/ })
  test('one stays with its text, and may sign out anyway', async ({ page }) => {
    const { mails } = await beginsToSend(page, 502, 3)
    await signsOut(page)
    await expect(page.getByText('Ett svar kom kanske inte iväg')).toBeVisible()
    expect(mails).toHaveLength(1)
    expect(await keptReplies(page)).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Logga ut ändå' }).click()
    await expect(page).toHaveURL(/\/signin/)
    expect(await keptReplies(page)).toBe(0)
  })
})

test.describe('and another tab signs out', () => {
  // This one may ask for something before it hears why it must not.
  test.use({ allowedError: /401/ })
  test('what waits here is gone, and keeps nobody on the screen', async ({ page, context }) => {
    const { mails } = await beginsToSend(page, 200, 4)
    const other = await context.newPage()
    await open(other, '/questions')
    await signsOut(other)
    await expect(page).toHaveURL(/\/signin/)
    expect(await keptReplies(page)).toBe(0)
    expect(mails).toEqual([])
  })
})

test('taken back in the composer, nothing counts down any more', async ({ page }) => {
  const mails = await sends(page, 500)
  await comes(page)
  await writes(page, 9, 'Ja.')
  await composer(page).getByRole('button', { name: 'Skicka, behåll öppen' }).click()
  await expect(page.getByRole('timer')).toHaveCount(2)
  await composer(page).getByRole('button', { name: 'Ångra' }).click()
  await expect(page.getByRole('timer')).toHaveCount(0)
  await expect(body(page)).toHaveValue(/Ja\./)
  expect(mails).toEqual([])
})

test.describe('and the session has ended meanwhile', () => {
  test.use({ allowedError: /401/ })
  test('one comes back to the reply, which has not left', async ({ page }) => {
    const mails = await sends(page, 401)
    await page.clock.install()
    await comes(page)
    const id = await writes(page, 11, 'Ja, gärna.')
    await page.keyboard.press('Control+Enter')
    await expectLeft(page, id)
    const dialog = page.getByRole('dialog', { name: 'Du har loggats ut' })
    await passTimeUntil(page, 2_500, () => expect(dialog).toBeVisible({ timeout: 200 }))
    await expectOpen(page, id)
    expect(await dialog.getByRole('link').getAttribute('href')).toContain(encodeURIComponent(`lead=${id}`))
    expect(mails).toHaveLength(1)
    await page.reload()
    await expect(body(page)).toHaveValue(/Ja, gärna\./)
  })
})

test('a mail that may have been sent says so on its lead, and either answer settles it', async ({ page }) => {
  const settled = await sends(page, 200, { wasSent: true })
  let isUnsure = true
  type Answer = { etag: string; askedQuestions?: { attempts: object }[] }
  await changeAnswers(page, '**/api/asked-questions?*', (answer: Answer) => {
    if (!isUnsure) return
    for (const lead of answer.askedQuestions ?? [])
      lead.attempts = { ...lead.attempts, unsure: { id: '7', at: new Date().toISOString() } }
    // It is another page than the one that the server knows by this name.
    answer.etag = 'unsure'
  })
  await comes(page)
  // The first list came with the page; this one is asked for.
  await page.getByRole('button', { name: 'Rensa alla' }).click()
  await expect(page).not.toHaveURL(/mode=/)
  await rows(page).first().click()
  const id = openLeadId(page)
  const notice = page.getByRole('status').filter({ hasText: /Kanske skickad \d\d:\d\d/ })
  await expect(notice).toBeVisible()
  await expectAccessible(page)
  isUnsure = false
  await notice.getByRole('button', { name: 'Det kom fram' }).click()
  await expect.poll(() => settled).toEqual([{ kind: 'asked-question', id, attempt: '7', wasSent: true }])
  await expect(notice).toBeHidden()
})
