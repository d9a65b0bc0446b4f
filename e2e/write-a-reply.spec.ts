import type { APIRequestContext, Page } from '@playwright/test'
import { contactOf } from '@/lib/inbox/lead-text'
import {
  daysAgo,
  downloaded,
  expect,
  expectAccessible,
  expectUsable,
  holdBack,
  leadNow,
  open,
  PHONE,
  test,
} from './fixtures'
import { clickRow, expectLeft, expectOpen, expectStatus, openLeadId, press, rows } from './leads'
import {
  body,
  composer,
  framed,
  keptReplies,
  openAsNewUser,
  openReply,
  signOut,
  writeAsNewUser,
  writeReply,
} from './reply-desk'

const QUESTIONS = 'asked-questions'
const CALLS = `/questions?status=new&mode=phone&to=${daysAgo(40)}`

const attemptsOf = async (request: APIRequestContext, id: string) => (await leadNow(request, QUESTIONS, id)).attempts
const expectAttempts = (page: Page, id: string, count: number) =>
  expect.poll(async () => (await attemptsOf(page.request, id)).count).toBe(count)
const expectOutcome = (page: Page, id: string, outcome: string | undefined) =>
  expect.poll(async () => (await attemptsOf(page.request, id)).last?.outcome).toBe(outcome)

test('a question is answered with r and Ctrl+Enter, and undone with its text', async ({ page }) => {
  await openAsNewUser(page, '/questions?status=new&mode=email')
  await openReply(page, 'Ja, det går bra.')
  const id = openLeadId(page)
  await expect(body(page)).toHaveValue(framed('Ja, det går bra\\.'))
  await expectAccessible(page)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Noterat som skickat')).toBeVisible()
  await expectLeft(page, id)
  await expectStatus(page, QUESTIONS, id, 'handled')
  const last = { channel: 'email', outcome: 'sent', by: { name: 'Eva Ek' } }
  expect(await attemptsOf(page.request, id)).toMatchObject({ count: 1, last })

  await page.getByRole('button', { name: 'Ångra' }).click()
  await expectOpen(page, id)
  await expect(body(page)).toHaveValue(/Ja, det går bra\./)
  await expectStatus(page, QUESTIONS, id, 'new')
  expect((await attemptsOf(page.request, id)).count).toBe(0)
})

test('a half-written reply survives a reload and Escape', async ({ page }) => {
  await openAsNewUser(page)
  await openReply(page, 'Halvskrivet')
  const address = page.url()
  await page.reload()
  await expect(body(page)).toHaveValue(/Halvskrivet/)
  expect(page.url()).toBe(address)
  await body(page).press('Escape')
  await expect(body(page)).not.toBeFocused()
  await expect(page).toHaveURL(/lead=/)
  await expect(body(page)).toHaveValue(/Halvskrivet/)
  await openReply(page, ' ord')
  await expect(body(page)).toHaveValue(framed('Halvskrivet ord'))
})

test('letters keep their order on a slow computer', async ({ page }) => {
  await openAsNewUser(page)
  await page.evaluate(() => {
    const plain = window.setTimeout
    // Timers without a delay fire after the typing.
    window.setTimeout = ((job: () => void, ms?: number) => plain(job, ms ?? 1_500)) as typeof setTimeout
  })
  await openReply(page, 'Ja, gärna.')
  await expect(body(page)).toHaveValue(/\nJa, gärna\.\n/)
})

test('a reply sent before its way out is known waits, and leaves once', async ({ page }) => {
  const isKnown = await holdBack(page, '**/api/replies')
  await openAsNewUser(page)
  await openReply(page, 'Välkommen!')
  const id = openLeadId(page)
  await page.keyboard.press('Control+Enter')
  const held = composer(page).getByText('Skickas så snart Intag har kontakt')
  await expect(held).toBeVisible()
  await expect(body(page), 'it goes out as it stood').not.toBeEditable()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(held).toBeHidden()
  await expect(body(page)).toBeEditable()
  await page.keyboard.type(' Hej då!')
  await expect(body(page)).toHaveValue(/\nVälkommen! Hej då!\n/)
  await composer(page).getByRole('button', { name: 'Skicka, behåll öppen' }).click()
  await composer(page).getByRole('button', { name: 'Ångra' }).click()
  await expect(body(page)).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(held).toBeVisible()
  await page.keyboard.press('Control+Enter')
  isKnown()
  await expect(page.getByText('Noterat som skickat')).toBeVisible()
  await expectAttempts(page, id, 1)
  await expectStatus(page, QUESTIONS, id, 'handled')
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
  await expectOutcome(page, id, 'no-answer')
  expect(openLeadId(page), 'one may try again at once').toBe(id)
  await expect(panel.getByText(/^Ett försök, senast i dag/)).toBeVisible()
  await page.getByRole('button', { name: 'Ångra' }).click()
  await expectAttempts(page, id, 0)
})

test('a text too long for a link becomes a draft file', { tag: '@full' }, async ({ page }) => {
  await openAsNewUser(page)
  const id = await clickRow(page, 3)
  const text = `Hej! ${'Så här är det på åttan. '.repeat(120)}`
  await body(page).fill(text)
  await expect(composer(page).getByText('Texten är för lång')).toBeVisible()
  const draft = await downloaded(page, () => body(page).press('Control+Enter'))
  expect(draft.name).toBe('Svar.eml')
  const [head = '', content = ''] = draft.text.split('\r\n\r\n')
  expect(head).toContain('X-Unsent: 1')
  const { email } = contactOf(await leadNow(page.request, QUESTIONS, id))
  expect(head).toContain(`To: <${email}>`)
  expect(Buffer.from(content, 'base64').toString('utf8')).toContain(text.trim())
  await expectStatus(page, QUESTIONS, id, 'handled')
  await page.getByRole('button', { name: 'Ångra' }).click()
  await expectStatus(page, QUESTIONS, id, 'new')
})

test('signing out in one tab clears half-written replies in both', async ({ page, context, allowError }) => {
  // A request may be sent before the other tab learns of the sign-out.
  allowError(/401/)
  await writeAsNewUser(page, 5, 'Hemligt utkast')
  const other = await context.newPage()
  await writeReply(other, 2, 'Ett till')
  for (const tab of [page, other]) expect(await keptReplies(tab)).toBe(1)
  await signOut(other)
  for (const tab of [page, other]) {
    await expect(tab).toHaveURL(/\/signin/)
    expect(await keptReplies(tab)).toBe(0)
  }
  await expect(page.getByText('Du är utloggad.')).toBeVisible()
})

test('arrow keys walk the templates, and none removes text', { tag: '@full' }, async ({ page }) => {
  await writeAsNewUser(page, 6, 'Mina egna ord.')
  const subject = composer(page).getByRole('textbox', { name: 'Ämne' })
  await subject.fill('Min rubrik')
  const written = await body(page).inputValue()
  await composer(page).getByRole('button', { name: 'Välj mall' }).click()
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await press(page, 'ArrowDown ArrowDown')
  expect(await body(page).inputValue()).toBe(written)
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(body(page)).toBeFocused()
  await expect(body(page)).not.toHaveValue(written)
  const filled = await body(page).inputValue()
  for (const line of written.split('\n')) expect(filled).toContain(line)
  await expect(subject).toHaveValue('Min rubrik')
  // The reply to an English question is in English.
  const once = written.startsWith('Hi') ? [/^Hi/gm, /^Kind regards/gm] : [/^Hej/gm, /^Vänliga hälsningar/gm]
  for (const words of once) expect(filled.match(words)).toHaveLength(1)
  await composer(page).getByRole('button', { name: 'Ångra mallen' }).click()
  await expect(body(page)).toHaveValue(written)
  await expect(body(page)).toBeFocused()
})

test('"copy" pressed twice is one reply, undone by one press', { tag: '@full' }, async ({ page }) => {
  await page.addInitScript(() => {
    const asked = async () => new Promise((resolve) => addEventListener('allowed', resolve, { once: true }))
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: asked } })
  })
  const id = await writeAsNewUser(page, 7, 'Så här är det. ')
  await page.keyboard.insertText('Det är så det är. '.repeat(200))
  const copy = composer(page).getByRole('button', { name: /^Kopiera texten/ })
  await copy.click()
  await page.clock.install()
  await page.clock.runFor(1_000)
  // The browser still asks for permission.
  await copy.click()
  await page.evaluate(() => dispatchEvent(new Event('allowed')))
  await expect(page.getByText(/är kopierad/)).toBeVisible()
  await expectAttempts(page, id, 1)
  await page.getByRole('button', { name: 'Ångra' }).click()
  await expectAttempts(page, id, 0)
})

test('a reply the mail program has is noted later, without opening it again', async ({ page, allowError }) => {
  allowError(/503/)
  await page.addInitScript(() => {
    const plain = HTMLAnchorElement.prototype.click
    HTMLAnchorElement.prototype.click = function click() {
      if (this.protocol === 'mailto:') console.info('mail program')
      plain.call(this)
    }
  })
  let opened = 0
  page.on('console', (message) => (opened += Number(message.text() === 'mail program')))
  await page.route('**/api/attempts', (route) => route.fulfill({ status: 503, json: { error: 'Unavailable' } }))
  const id = await writeAsNewUser(page, 4, 'Ja, det går bra.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/lämnades till ditt e-postprogram, men det kunde inte noteras/)).toBeVisible()
  await page.unroute('**/api/attempts')
  await open(page, `/questions?lead=${id}`)
  await expect(body(page)).toHaveValue(/Ja, det går bra\./)
  await expect(page.getByText(/Har du redan skickat det\?/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Notera som skickat' }).click()
  await expect(page.getByText(/är noterat som skickat\.$/)).toBeVisible()
  await expectAttempts(page, id, 1)
  await expectStatus(page, QUESTIONS, id, 'handled')
  expect(await keptReplies(page)).toBe(0)
  await expect.poll(() => opened).toBe(1)
})

test.describe('on a phone', () => {
  test.use(PHONE)
  test('the reply is the first action of the bar', { tag: '@full' }, async ({ page }) => {
    await openAsNewUser(page)
    await rows(page).nth(4).tap()
    const bar = page.getByRole('group', { name: 'Åtgärder' })
    await bar.getByRole('button', { name: 'Svara' }).tap()
    await expect(body(page)).toBeFocused()
    await expectUsable(page)
  })
})
