import type { APIRequestContext, Page } from '@playwright/test'
import type { AskedQuestionItem, DeclarationOfInterestItem, LeadList, LeadStatus } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { DEMO, expect, headers, open, read, statusOf } from './fixtures'

/** A row is an element of its place, which may get another lead. */
export const rows = (page: Page) => page.getByRole('listbox').getByRole('option')

/** From the address; empty when none is open. */
export function openLeadId(page: Page): string {
  return new URL(page.url()).searchParams.get('lead') ?? ''
}

export const leadPane = (page: Page) => page.getByRole('region', { name: 'Öppet ärende' })

export const noteField = (page: Page) => page.getByRole('textbox', { name: 'Skriv en anteckning' })

/** What stands in the head of the open lead. */
export const leadStatus = (page: Page, status: LeadStatus) => leadPane(page).locator(`header [data-status="${status}"]`)

/** What is seldom needed of a lead. */
export async function openMore(page: Page): Promise<void> {
  await leadPane(page).getByRole('button', { name: 'Mer om ärendet' }).click()
}

export const cursor = (page: Page) => page.locator('[role=option][data-cursor=true]')

export const markedBar = (page: Page) => page.getByRole('region', { name: 'Markerade ärenden' })

export async function press(page: Page, keys: string): Promise<void> {
  for (const key of keys.split(' ')) await page.keyboard.press(key)
}

export async function openList(page: Page, path: string): Promise<void> {
  await open(page, path)
  await expect(rows(page).first()).toBeVisible()
}

/** Opens the lead in the nth row (from 0). Returns its id. */
export async function openRow(page: Page, path: string, place: number): Promise<string> {
  await open(page, path)
  return clickRow(page, place)
}

export async function clickRow(page: Page, place: number): Promise<string> {
  await rows(page).nth(place).click()
  await expect(page).toHaveURL(/lead=/)
  await expectLeadShown(page)
  return openLeadId(page)
}

export async function openFirst(page: Page): Promise<void> {
  await expect(rows(page).first()).toBeAttached()
  await page.keyboard.press('Enter')
  await expectLeadShown(page)
}

/** Keys act on a lead once it is shown. */
async function expectLeadShown(page: Page): Promise<void> {
  await expect(page.locator('article h2').first()).toBeVisible()
}

/** Until a lead has been on screen for a moment, the same key again was meant for the one before. */
export async function untilRead(page: Page): Promise<void> {
  await expect(page.locator('[role=option][aria-selected=true]')).toBeVisible()
  await page.evaluate(async () => {
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
    const from = await frame()
    while (performance.now() - from < 90) await frame()
  })
}

export const expectOpen = (page: Page, id: string) => expect.poll(() => openLeadId(page)).toBe(id)
export const expectLeft = (page: Page, id: string) => expect.poll(() => openLeadId(page)).not.toBe(id)

/** The choices of one filter of a list, or something else behind its button. */
export async function openFilter(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('dialog', { name: 'Filter' }).getByRole('button', { name }).click()
}

/** A button beside the title of the list. */
export async function pressInListHeader(page: Page, name: string): Promise<void> {
  const header = page.locator('header').filter({ has: page.locator('#list-title') })
  await header.getByRole('button', { name, exact: true }).click()
}

export const search = (page: Page) => page.getByRole('searchbox')
export async function typeSearch(page: Page, text: string): Promise<void> {
  await page.keyboard.press('/')
  await page.keyboard.type(text)
}

export const declarations = async (request: APIRequestContext, query: string): Promise<DeclarationOfInterestItem[]> =>
  (await read(request, `/api/declarations-of-interest?${query}`)).declarationsOfInterest
export const questions = async (request: APIRequestContext, query: string): Promise<AskedQuestionItem[]> =>
  (await read(request, `/api/asked-questions?${query}`)).askedQuestions

export const expectStatus = (page: Page, list: LeadList, id: string, status: string) =>
  expect.poll(() => statusOf(page.request, list, id)).toBe(status)

export async function decide(request: APIRequestContext, list: LeadList, id: string, change: object): Promise<void> {
  const data = { leads: [{ kind: LISTS[list].kind, id }], ...change }
  expect((await request.patch(`${DEMO}/api/triage`, { headers, data })).status()).toBe(200)
}
