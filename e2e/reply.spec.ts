import { readFile } from 'node:fs/promises'
import type { APIRequestContext, Page } from '@playwright/test'
import type { AskedQuestionItem, AskedQuestionsPage } from '@/lib/contract/lead'
import {
  DEMO,
  expect,
  expectAccessible,
  expectToFit,
  newPerson,
  open,
  openLeadId,
  rows,
  signIn,
  test,
} from './fixtures'

const OPEN = '/questions?status=new&mode=email'

const composer = (page: Page) => page.getByRole('region', { name: 'Svar', exact: true })
const body = (page: Page) => composer(page).getByRole('textbox', { name: 'Svar' })

async function question(request: APIRequestContext, id: string): Promise<AskedQuestionItem> {
  const answer = await request.get(`${DEMO}/api/asked-questions?id=${encodeURIComponent(id)}`, { maxRetries: 2 })
  const { askedQuestions }: AskedQuestionsPage = await answer.json()
  const [item] = askedQuestions
  if (item === undefined) throw new Error(`no question ${id}`)
  return item
}

/** Somebody new, with the list of open questions before them. */
async function comes(page: Page, path = OPEN): Promise<void> {
  await signIn(page.request, await newPerson(page.request))
  await open(page, path)
  await expect(rows(page).first()).toBeVisible()
}

test('the newest question is answered with r, the text and Ctrl+Enter; taken back, all of it is there again', async ({
  page,
}) => {
  await comes(page)
  await page.keyboard.press('r')
  await expect(body(page)).toBeFocused()
  const id = openLeadId(page)
  await page.keyboard.type('Ja, det går bra.')
  await expect(body(page)).toHaveValue(/^Hej[^\n]*!\n\nJa, det går bra\.\n\nVänliga hälsningar\nEva Ek, /)
  await expectAccessible(page)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Noterat som skickat')).toBeVisible()
  await expect.poll(() => openLeadId(page)).not.toBe(id)
  await expect.poll(async () => (await question(page.request, id)).triage.status).toBe('handled')
  const { attempts } = await question(page.request, id)
  expect(attempts).toMatchObject({ count: 1, last: { channel: 'email', outcome: 'sent', by: { name: 'Eva Ek' } } })

  await page.getByRole('button', { name: 'Ångra' }).click()
  await expect.poll(() => openLeadId(page)).toBe(id)
  await expect(body(page)).toHaveValue(/Ja, det går bra\./)
  await expect.poll(async () => (await question(page.request, id)).triage.status).toBe('new')
  expect((await question(page.request, id)).attempts.count).toBe(0)
})

test('a half-written reply survives a reload, and Escape leaves the field with it', async ({ page }) => {
  await comes(page)
  await page.keyboard.press('r')
  await expect(body(page)).toBeFocused()
  await page.keyboard.type('Halvskrivet')
  const address = page.url()
  await page.reload()
  await expect(body(page)).toHaveValue(/Halvskrivet/)
  expect(page.url()).toBe(address)
  await body(page).press('Escape')
  await expect(body(page)).not.toBeFocused()
  await expect(page).toHaveURL(/lead=/)
  await expect(body(page)).toHaveValue(/Halvskrivet/)
})

test('whoever wants a call is called: the number large, and one key for what came of it', async ({ page }) => {
  await comes(page, '/questions?status=new&mode=phone')
  await rows(page).nth(2).click()
  const panel = page.getByRole('region', { name: 'Ring', exact: true })
  await expect(panel.getByRole('link', { name: 'Ring' })).toHaveAttribute('href', /^tel:\+/)
  await expectAccessible(page)
  const id = openLeadId(page)
  await page.keyboard.press('2')
  const last = async () => (await question(page.request, id)).attempts.last?.outcome
  await expect.poll(last).toBe('no-answer')
  expect(openLeadId(page), 'one may try again at once').toBe(id)
  await expect(panel.getByText(/^Ett försök, senast i dag/)).toBeVisible()
  await page.getByRole('button', { name: 'Ångra' }).click()
  await expect.poll(last).toBeUndefined()
})

test('an outcome pressed by mistake is taken back, and the keys for another are there', async ({ page }) => {
  await comes(page, '/questions?status=new&mode=phone')
  await rows(page).nth(5).click()
  const panel = page.getByRole('region', { name: 'Ring', exact: true })
  await expect(panel).toBeVisible()
  const id = openLeadId(page)
  await page.keyboard.press('1')
  await expect.poll(async () => (await question(page.request, id)).triage.status).toBe('handled')
  await expect.poll(() => openLeadId(page)).not.toBe(id)
  await page.keyboard.press('z')
  await expect.poll(() => openLeadId(page)).toBe(id)
  await expect.poll(async () => (await question(page.request, id)).attempts.count).toBe(0)
  await expect(panel).toBeVisible()
  await page.keyboard.press('2')
  await expect.poll(async () => (await question(page.request, id)).attempts.last?.outcome).toBe('no-answer')
  await page.keyboard.press('z')
  await expect.poll(async () => (await question(page.request, id)).attempts.count).toBe(0)
})

test('a text that no link can carry becomes a draft that opens for sending', async ({ page }) => {
  await comes(page)
  await rows(page).nth(3).click()
  const id = openLeadId(page)
  const text = `Hej! ${'Så här är det på åttan. '.repeat(120)}`
  await body(page).fill(text)
  await expect(composer(page).getByText('Texten är för lång')).toBeVisible()
  const downloading = page.waitForEvent('download')
  await body(page).press('Control+Enter')
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^Svar på din fråga .*\.eml$/)
  const eml = await readFile(await download.path(), 'utf8')
  const [head = '', content = ''] = eml.split('\r\n\r\n')
  expect(head).toContain('X-Unsent: 1')
  const item = await question(page.request, id)
  expect(head).toContain(`To: <${item.sender.email}>`)
  expect(Buffer.from(content, 'base64').toString('utf8')).toContain(text.trim())
  await expect.poll(async () => (await question(page.request, id)).triage.status).toBe('handled')
  await page.getByRole('button', { name: 'Ångra' }).click()
  await expect.poll(async () => (await question(page.request, id)).triage.status).toBe('new')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  test('the answer is the first thing within a thumb’s reach', async ({ page }) => {
    await comes(page)
    await rows(page).nth(4).tap()
    const bar = page.getByRole('group', { name: 'Åtgärder' })
    await bar.getByRole('button', { name: 'Svara' }).tap()
    await expect(body(page)).toBeFocused()
    await expectAccessible(page)
    await expectToFit(page)
  })
})
