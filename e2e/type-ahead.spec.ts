import type { Page } from '@playwright/test'
import { CHUNKS, daysAgo, expect, expectAccessible, expectToFit, fetchNothingAhead, holdBack, test } from './fixtures'
import { expectLeft, openLeadId } from './leads'
import { body, comes } from './reply-desk'

const CALLS = `/questions?status=new&mode=phone&to=${daysAgo(40)}`
const TEXT = 'Nej det finns inga'

/** The list is there, and all code from now on waits until it `comes`; `decided` is what is decided or noted by then. */
async function lateCode(page: Page, path?: string) {
  const decided: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && /\/api\/(?:triage|attempts|replies)/.test(request.url()))
      decided.push(request.url())
  })
  await fetchNothingAhead(page)
  await comes(page, path)
  return { decided, codeComes: await holdBack(page, CHUNKS) }
}

/** The last key is so long ago that the next one begins anew. */
async function pauses(page: Page): Promise<void> {
  const from = await page.evaluate(() => performance.now())
  await page.waitForFunction((before) => performance.now() - before > 1_500, from)
}

const kept = (page: Page) => page.getByText('Det du skriver sparas till det. Esc avbryter.')

test('what is typed after r stands in the answer, however late its code is, and decides nothing', async ({ page }) => {
  const { decided, codeComes } = await lateCode(page)
  await page.keyboard.type(`r${TEXT}`, { delay: 30 })
  await expect(kept(page)).toBeVisible()
  await expectToFit(page)
  await expectAccessible(page)
  const id = openLeadId(page)
  codeComes()
  await expect(body(page)).toBeFocused()
  await expect(body(page)).toHaveValue(new RegExp(`\n\n${TEXT}\n\n`))
  await expect(kept(page)).toBeHidden()
  expect(openLeadId(page)).toBe(id)
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(decided).toEqual([])
})

test('for whoever wants a call r leads to its outcome, where letters are nobody’s and Escape gives them back', async ({
  page,
}) => {
  const { decided, codeComes } = await lateCode(page, CALLS)
  await page.keyboard.type(`r${TEXT}`, { delay: 30 })
  await expect(kept(page)).toBeVisible()
  await pauses(page)
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

test('Escape before it is open gives the keys back, and where nothing is open r says so', async ({ page }) => {
  const { decided, codeComes } = await lateCode(page)
  await page.keyboard.type('rNej', { delay: 30 })
  await page.keyboard.press('Escape')
  await expect(kept(page)).toBeHidden()
  const id = openLeadId(page)
  await page.keyboard.press('j')
  await expectLeft(page, id)
  await page.goto('/today', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  codeComes()
  await expect(async () => {
    await page.keyboard.press('r')
    await expect(page.getByText('Här är inget ärende öppet att svara på.')).toBeVisible({ timeout: 500 })
  }).toPass()
  expect(decided).toEqual([])
})
