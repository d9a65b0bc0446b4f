import type { Page } from '@playwright/test'
import {
  awake,
  CHUNKS,
  daysAgo,
  disablePrefetch,
  expect,
  expectUsable,
  holdBack,
  newUser,
  open,
  pick,
  read,
  signIn,
  test,
} from './fixtures'
import { expectLeft, openLeadId, rows } from './leads'
import { body, OPEN, openAsNewUser, openReply } from './reply-desk'

const CALLS = `/questions?status=new&mode=phone&to=${daysAgo(40)}`
const TEXT = 'Nej det finns inga'

/** Collects the decisions sent. */
function decisionsOf(page: Page): string[] {
  const decided: string[] = []
  page.on('request', (request) => {
    const [path] = /\/api\/(?:triage|attempts|replies)/.exec(request.url()) ?? []
    if (request.method() !== 'GET' && path !== undefined) decided.push(path)
  })
  return decided
}

/** All code that the page's HTML does not name waits for `codeComes`: where one writes to the lead that is open, too. */
async function lateCode(page: Page, path = OPEN) {
  const decided = decisionsOf(page)
  await disablePrefetch(page)
  await signIn(page.request, await newUser(page.request))
  const html = await (await page.request.get(path)).text()
  const { promise, resolve: codeComes } = Promise.withResolvers<void>()
  await page.route(CHUNKS, async (route) => {
    if (!html.includes(new URL(route.request().url()).pathname)) await promise
    await route.continue()
  })
  // The code of the open lead may be asked for before the page's `load`, which then waits for it.
  await page.goto(path, { waitUntil: 'domcontentloaded' })
  await awake(page)
  await expect(rows(page).first()).toBeVisible()
  return { decided, codeComes }
}

async function pauseTyping(page: Page): Promise<void> {
  const from = await page.evaluate(() => performance.now())
  await page.waitForFunction((before) => performance.now() - before > 1_500, from)
}

const opening = (page: Page) => page.getByText('Tangenterna gör inget förrän ärendet är öppet.')

test('while a reply opens letters neither decide nor appear, and all do once it is open', async ({ page }) => {
  const { decided, codeComes } = await lateCode(page)
  await page.keyboard.type(`r${TEXT}`, { delay: 30 })
  await expect(opening(page)).toBeVisible()
  await expectUsable(page)
  const id = openLeadId(page)
  codeComes()
  await expect(body(page)).toBeFocused()
  await expect(body(page)).not.toHaveValue(/finns inga/)
  await expect(opening(page)).toBeHidden()
  await page.keyboard.type(TEXT, { delay: 30 })
  await expect(body(page)).toHaveValue(new RegExp(`\n\n${TEXT}\n\n`))
  expect(openLeadId(page)).toBe(id)
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(decided).toEqual([])
})

for (const { name, open: keys, field } of [
  { name: 'the palette', open: 'Control+k', field: (page: Page) => page.getByRole('combobox') },
  {
    name: 'the choice of an assignee',
    open: 'a',
    field: (page: Page) => page.getByRole('dialog').getByRole('searchbox'),
  },
])
  test(`while ${name} opens letters neither decide nor appear`, async ({ page }) => {
    const { decided, codeComes } = await lateCode(page)
    await page.keyboard.press('j')
    await page.keyboard.press(keys)
    await page.keyboard.type(TEXT, { delay: 30 })
    await page.keyboard.press('Enter')
    await expect(opening(page)).toBeVisible()
    codeComes()
    await expect(field(page)).toBeFocused()
    await expect(field(page)).toHaveValue('')
    await page.keyboard.type('ek')
    await expect(field(page)).toHaveValue('ek')
    expect(decided).toEqual([])
  })

test('while a note opens letters neither decide nor appear', async ({ page }) => {
  const { decided, codeComes } = await lateCode(page)
  await page.keyboard.type(`n${TEXT}`, { delay: 30 })
  await expect(opening(page)).toBeVisible()
  codeComes()
  const note = page.getByRole('textbox', { name: 'Skriv en anteckning' })
  await expect(note).toBeFocused()
  await expect(note).toHaveValue('')
  await page.keyboard.type(TEXT)
  await expect(note).toHaveValue(TEXT)
  expect(decided).toEqual([])
})

test('the field of the search takes all letters, whatever else is on its way', async ({ page }) => {
  const { decided } = await lateCode(page)
  await page.keyboard.type('/anna', { delay: 30 })
  await expect(page.getByRole('searchbox')).toHaveValue('anna')
  expect(decided).toEqual([])
})

test('a reply begun while the next lead is looked for keeps its lead', async ({ page }) => {
  await signIn(page.request, await newUser(page.request))
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

test('for a call r leads to the outcome, where letters do nothing until Escape', async ({ page }) => {
  const { decided, codeComes } = await lateCode(page, CALLS)
  await page.keyboard.type(`r${TEXT}`, { delay: 30 })
  await expect(opening(page)).toBeVisible()
  await pauseTyping(page)
  codeComes()
  const outcome = page.getByRole('group', { name: 'Hur gick det?' })
  await expect(outcome).toBeFocused()
  const id = openLeadId(page)
  await page.keyboard.type(`${TEXT} 1 av 2`)
  await expect(outcome).toBeFocused()
  expect(openLeadId(page)).toBe(id)
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(decided).toEqual([])
  await page.keyboard.press('Escape')
  await expect(outcome).not.toBeFocused()
  await page.keyboard.press('j')
  await expectLeft(page, id)
})

test('Escape cancels before it is open; without a lead r says so', async ({ page }) => {
  const { decided, codeComes } = await lateCode(page)
  await page.keyboard.type('rNej', { delay: 30 })
  await page.keyboard.press('Escape')
  await expect(opening(page)).toBeHidden()
  const id = openLeadId(page)
  await page.keyboard.press('j')
  await expectLeft(page, id)
  await page.goto('/today', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  codeComes()
  await expect(async () => {
    await page.keyboard.press('r')
    await expect(page.getByText('Öppna ett ärende för att svara.')).toBeVisible({ timeout: 500 })
  }).toPass()
  expect(decided).toEqual([])
})

test('on a slow network words act on nobody, wherever they began', async ({ page }) => {
  const decided = decisionsOf(page)
  await openAsNewUser(page, CALLS)
  await page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400))
    await route.continue()
  })
  const type = (text: string) => page.keyboard.type(text, { delay: 90 })
  await test.step('while the lead opens', async () => {
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await type(`r${TEXT}`)
    await expect(page.getByRole('group', { name: 'Hur gick det?' })).toBeFocused()
    expect(decided).toEqual([])
  })
  await test.step('in a menu, which a space closes', async () => {
    const id = openLeadId(page)
    await page.getByRole('button', { name: 'Mer om ärendet' }).press('Enter')
    await type(`r${TEXT}`)
    expect(openLeadId(page)).toBe(id)
    expect(decided).toEqual([])
    await page.keyboard.press('Escape')
  })
  await test.step('after the outcome of a call', async () => {
    const id = openLeadId(page)
    await pauseTyping(page)
    await page.keyboard.press('r')
    await expect(page.getByRole('group', { name: 'Hur gick det?' })).toBeFocused()
    await pauseTyping(page)
    await type('1ej hemma')
    await expectLeft(page, id)
    await expect(page.getByRole('dialog')).toBeHidden()
    expect(decided).toEqual(['/api/attempts'])
  })
})

test(
  'a letter before the contact has come keeps the greeting by the name of the row',
  { tag: '@full' },
  async ({ page }) => {
    await signIn(page.request, await newUser(page.request))
    type Answer = { askedQuestions: { id: string; person: { firstName?: string } | null }[] }
    const answer: Answer = await read(page.request, '/api/asked-questions?mode=email&limit=200')
    const { id, person } = pick(answer.askedQuestions, (asked) => asked.person?.firstName !== undefined)
    await holdBack(page, '**/api/contacts/**')
    await open(page, `/questions?${new URLSearchParams({ lead: id })}`)
    await openReply(page, 'x')
    await expect(body(page)).toHaveValue(new RegExp(`^(?:Hej|Hi) ${person?.firstName}[!,]\\n\\nx\\n`))
  },
)
