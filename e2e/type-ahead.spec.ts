import type { Page } from '@playwright/test'
import {
  ready,
  CHUNKS,
  daysAgo,
  disablePrefetch,
  expect,
  expectUsable,
  holdBack,
  joinAsNew,
  open,
  read,
  test,
} from './fixtures'
import { noteField, openLeadId, rows } from './leads'
import { body, OPEN, openReply } from './reply-desk'

const CALLS = `/questions?status=new&mode=phone&to=${daysAgo(40)}`
const TEXT = 'Nej det finns inga'

/** All code that the page's HTML does not name waits for `codeComes`: where one writes to the lead that is open, too. */
async function openWithLateCode(page: Page, path = OPEN) {
  const decisions: string[] = []
  page.on('request', (request) => {
    const isDecision = request.method() !== 'GET' && /\/api\/(?:triage|attempts|replies)/.test(request.url())
    if (isDecision) decisions.push(request.url())
  })
  await disablePrefetch(page)
  await joinAsNew(page)
  const html = await (await page.request.get(path)).text()
  const { promise, resolve: codeComes } = Promise.withResolvers<void>()
  await page.route(CHUNKS, async (route) => {
    if (!html.includes(new URL(route.request().url()).pathname)) await promise
    await route.continue()
  })
  // The code of the open lead may be asked for before the page's `load`, which then waits for it.
  await page.goto(path, { waitUntil: 'domcontentloaded' })
  await ready(page)
  await expect(rows(page).first()).toBeVisible()
  return { decisions, codeComes }
}

async function pauseTyping(page: Page): Promise<void> {
  const from = await page.evaluate(() => performance.now())
  await page.waitForFunction((before) => performance.now() - before > 1_500, from)
}

const opening = (page: Page) => page.getByText('Tangenterna gör inget förrän ärendet är öppet.')

const assignee = (page: Page) => page.getByRole('dialog').getByRole('searchbox')
const palette = (page: Page) => page.getByRole('combobox')

for (const { name, key, field } of [
  { name: 'a reply', key: 'r', field: body },
  { name: 'a note', key: 'n', field: noteField },
  { name: 'the choice of an assignee', key: 'a', field: assignee },
  { name: 'the palette', key: 'Control+k', field: palette },
])
  test(`while ${name} opens letters neither decide nor appear, and all do once it is open`, async ({ page }) => {
    const { decisions, codeComes } = await openWithLateCode(page)
    await page.keyboard.press(key)
    await page.keyboard.type(TEXT, { delay: 30 })
    await expect(opening(page)).toBeVisible()
    await expectUsable(page)
    const id = openLeadId(page)
    codeComes()
    await expect(field(page)).toBeFocused()
    await expect(field(page)).not.toHaveValue(/finns inga/)
    await expect(opening(page)).toBeHidden()
    await page.keyboard.type(TEXT, { delay: 30 })
    await expect(field(page)).toHaveValue(new RegExp(`(^|\n\n)${TEXT}(\n\n|$)`))
    expect(openLeadId(page)).toBe(id)
    expect(decisions).toEqual([])
  })

test('a reply begun while the next lead is looked for keeps its lead', async ({ page }) => {
  await joinAsNew(page)
  const PAGE_ROWS = 50
  const list = `status=new&mode=email&to=${daysAgo(40)}`
  const last = `/api/asked-questions?${list}&earlier=false&offset=${PAGE_ROWS - 1}&limit=1`
  const [item] = (await read(page.request, last)).askedQuestions
  const nextPageComes = await holdBack(page, new RegExp(`asked-questions\\?.*offset=${PAGE_ROWS}\\b`))
  await open(page, `/questions?${list}&lead=${item.id}`)
  await expect(page.locator('[role=option][aria-selected=true]')).toBeVisible()
  await page.keyboard.press('e')
  await expect(page.getByText(/är markerad som hanterad/)).toBeVisible()
  await openReply(page, TEXT)
  await expect(body(page)).toHaveValue(new RegExp(TEXT))
  const answered = page.waitForResponse(/offset=50\b/)
  nextPageComes()
  await answered
  await pauseTyping(page)
  expect(openLeadId(page)).toBe(item.id)
  await expect(body(page)).toHaveValue(new RegExp(TEXT))
})

test('for a call r leads to the outcome, and words act on nobody, wherever they began', async ({ page }) => {
  const { decisions, codeComes } = await openWithLateCode(page, CALLS)
  const outcome = page.getByRole('group', { name: 'Hur gick det?' })
  await page.keyboard.type(`r${TEXT}`, { delay: 30 })
  await expect(opening(page)).toBeVisible()
  await pauseTyping(page)
  codeComes()
  await expect(outcome).toBeFocused()
  const id = openLeadId(page)
  await page.keyboard.type(`${TEXT} 1 av 2`, { delay: 90 })
  await expect(outcome).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(outcome).not.toBeFocused()
  await page.getByRole('button', { name: 'Mer om ärendet' }).press('Enter')
  await page.keyboard.type(`r${TEXT}`, { delay: 90 })
  expect(openLeadId(page)).toBe(id)
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(decisions).toEqual([])
})
