import type { APIRequestContext, Page } from '@playwright/test'
import type { LeadKind, LeadList, LeadRef } from '@/lib/contract/lead'
import type { QueuePage } from '@/lib/contract/list-query'
import { LEAD_LISTS, LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { daysAgo, expect, expectAccessible, joinAsNew, open, pick, read, ready, test } from './fixtures'
import {
  decide,
  declarations,
  expectOpen,
  expectStatus,
  markedBar,
  pressInListHeader,
  questions,
  rows,
  untilRead,
} from './leads'

test.use({ as: 'staff' })

/** Old ones, so that no test beside takes them. Of every status: what another test decides moves no place. */
const some = async (request: APIRequestContext, list: LeadList, offset: number): Promise<LeadRef[]> => {
  const leadsOf = list === 'asked-questions' ? questions : declarations
  const found = await leadsOf(request, `to=${daysAgo(120)}&limit=2&offset=${offset}`)
  return found.map(({ id }) => ({ kind: LISTS[list].kind, id }))
}

/** A user of this test alone, who has two leads of each kind to do. Each test has an offset of its own. */
async function withOwnQueue(page: Page, offset: number): Promise<readonly LeadRef[]> {
  await joinAsNew(page)
  const leads = (await Promise.all(LEAD_LISTS.map((list) => some(page.request, list, offset)))).flat()
  for (const { kind, id } of leads) await decide(page.request, LISTS_BY_KIND[kind].list, id, { assignee: 'me' })
  return leads
}

const keyOf = ({ kind, id }: LeadRef) => `${kind} ${id}`
const queueOf = async (request: APIRequestContext): Promise<QueuePage['leads'][number][]> =>
  (await read(request, '/api/queues/mine')).leads

test('a queue of both kinds is walked through in its order, by keys alone, and leads to the next', async ({ page }) => {
  await withOwnQueue(page, 0)
  const order = (await queueOf(page.request)).map(keyOf)
  expect(new Set(order.map((key) => key.split(' ')[0])).size).toBe(2)
  await open(page, '/today')
  await expect(page.getByRole('heading', { name: 'Börja med de försenade' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Börja' })).toHaveAttribute('href', /\/queue\/late\?lead=/)
  await page.getByRole('region', { name: 'Köer' }).getByRole('link', { name: 'Mina' }).click()
  await expect(rows(page)).toHaveCount(4)
  // Until then Enter would press the link once more.
  await expect(page.locator('#content:focus, #content :focus')).toBeAttached()
  await page.keyboard.press('Enter')
  await expectOpen(page, order[0] ?? '')
  await page.reload()
  await ready(page)
  await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Mina4')
  for (const [done, key] of order.entries()) {
    await expectOpen(page, key)
    await expect(rows(page)).toHaveCount(order.length - done)
    await expect(page.locator('article h2').first()).toBeVisible()
    await untilRead(page)
    await page.keyboard.press('e')
  }
  for (const key of order) {
    const [kind = '', id = ''] = key.split(' ')
    await expectStatus(page, LISTS_BY_KIND[kind as LeadKind].list, id, 'handled')
  }
  await expect(page.getByText('Du är klar med dina', { exact: true })).toBeVisible()
  await expect(page.getByText(/försenade?\. Först .*(fråga|anmälan) till /)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/queue\/late\?lead=/)
  await expect(rows(page).first()).toHaveAttribute('aria-selected', 'true')
})

test('what comes into a queue waits until it is wanted, wherever it belongs', async ({ page, requestAs }) => {
  // Two old questions, and a declaration that is newer than both.
  const user = await joinAsNew(page)
  for (const { id } of await some(page.request, 'asked-questions', 8))
    await decide(page.request, 'asked-questions', id, { assignee: 'me' })
  const newer = pick(await declarations(page.request, `status=new&to=${daysAgo(90)}&limit=1&offset=8`))
  const wanted = page.getByRole('button', { name: '1 ny, visa' })
  await open(page, '/queue/mine')
  await expect(rows(page)).toHaveCount(2)
  await decide(await requestAs('admin'), 'declarations-of-interest', newer.id, { assignee: user.id })
  await expect(wanted).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  await wanted.click()
  await expect(rows(page)).toHaveCount(3)
  await expect(wanted).toHaveCount(0)
})

test('both kinds are decided and taken back together; a file is of one kind', { tag: '@full' }, async ({ page }) => {
  const leads = await withOwnQueue(page, 12)
  await open(page, '/queue/mine')
  await expect(rows(page)).toHaveCount(4)
  await pressInListHeader(page, 'Exportera')
  const which = page.getByRole('dialog', { name: 'Frågor eller intresseanmälningar?' })
  await expectAccessible(page)
  await which.getByRole('button', { name: '2 intresseanmälningar' }).click()
  await expect(page.getByRole('button', { name: /^Exportera 2/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('*')
  await expect(markedBar(page)).toContainText('4 markerade')
  for (const [key, status, left] of [
    ['e', 'handled', 0],
    ['z', 'new', 4],
  ] as const) {
    await page.keyboard.press(key)
    await expect(rows(page)).toHaveCount(left)
    for (const { kind, id } of leads) await expectStatus(page, LISTS_BY_KIND[kind].list, id, status)
  }
})
