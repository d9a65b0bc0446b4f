import type { Page, Request } from '@playwright/test'
import { expect, open, pick, statusOf, test } from './fixtures'
import { decide, declarations, expectStatus, leadStatus, openLeadId, openMore, openRow } from './leads'

test.use({ as: 'staff' })

const LIST = 'declarations-of-interest'
const OPEN = '/declarations?status=new&sort=createdAt'
const UNDECIDED = { status: 'new', assignee: 'none' }

const someLead = async (page: Page, offset: number) =>
  pick(await declarations(page.request, `status=new&sort=createdAt&limit=1&offset=${offset}`)).id
const pathTo = (id: string) => `/declarations?sort=createdAt&lead=${encodeURIComponent(id)}`

test('the second to decide is notified, and the first decision stays', async ({ page, pageAs }) => {
  const id = await someLead(page, 60)
  const other = await pageAs('admin')
  // This one gets no updates: neither stream nor list is ever answered.
  for (const path of ['events', 'declarations-of-interest*']) await other.route(`**/api/${path}`, () => {})
  await open(other, pathTo(id))
  await expect(leadStatus(other, 'new')).toBeVisible()
  await decide(page.request, LIST, id, { status: 'handled' })
  await other.keyboard.press('p')
  await expect(other.getByText(/^Sara Lindqvist hann före: .+\.$/)).toBeVisible()
  expect(await statusOf(page.request, LIST, id)).toBe('handled')
  await decide(page.request, LIST, id, UNDECIDED)
})

test('a refused decision is reverted and reported', async ({ pageAs }) => {
  const page = await pageAs('admin')
  await page.route('**/api/triage', (route) => route.fulfill({ status: 409, json: { error: 'Conflict' } }))
  const id = await openRow(page, OPEN, 4)
  await openMore(page)
  await page.getByRole('button', { name: /^Status: Ny. Ändra/ }).click()
  await page.getByRole('menuitemradio', { name: 'Hanterad' }).click()
  await expect(page.getByText(/kunde inte sparas/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ångra' }), 'there is nothing to undo').toBeHidden()
  await expect(page.locator('#row-4').getByRole('img', { name: 'Ny' })).toHaveCount(1)
  expect(await statusOf(page.request, LIST, id)).toBe('new')
})

test('offline work is saved once the network is back', async ({ page, context, allowError }) => {
  allowError(/ERR_INTERNET_DISCONNECTED/)
  await openRow(page, OPEN, 8)
  const ids: string[] = []
  await expect(leadStatus(page, 'new')).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByRole('main').getByText(/^Ingen kontakt med Intag/)).toBeVisible()
  for (const key of ['e', 'p']) {
    const id = openLeadId(page)
    ids.push(id)
    await page.keyboard.press(key)
    // A lead one has taken stays open.
    if (key === 'e') await page.waitForURL((url) => url.searchParams.get('lead') !== id)
    else await expect(leadStatus(page, 'in-progress')).toBeVisible()
    await expect(page.getByText(/Sparas när nätet är tillbaka/)).toBeVisible()
  }
  const [first = '', second = ''] = ids
  expect(await statusOf(page.request, LIST, first)).toBe('new')
  await context.setOffline(false)
  await expectStatus(page, LIST, first, 'handled')
  await expectStatus(page, LIST, second, 'in-progress')
  await expect(page.getByRole('main').getByText(/^Ingen kontakt med Intag/)).toBeHidden()
  for (const id of ids) await decide(page.request, LIST, id, UNDECIDED)
})

test('what was decided and not sent yet keeps one signed in, and is sent after a reload', async ({ page }) => {
  const id = await someLead(page, 120)
  // From before the page is opened: what an open page sends right after is not always held.
  let isHeld = true
  await page.route('**/api/triage', async (route) => {
    if (!isHeld) await route.continue()
  })
  await open(page, pathTo(id))
  await expect(leadStatus(page, 'new')).toBeVisible()
  const sent = page.waitForRequest('**/api/triage')
  await page.keyboard.press('p')
  await expect(leadStatus(page, 'in-progress')).toBeVisible()
  await sent
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('logga ut')
  await page.keyboard.press('Enter')
  await expect(
    page.getByText('En del av det du har gjort är inte sparat än. Om du loggar ut nu går det förlorat.'),
  ).toBeVisible()
  expect(await statusOf(page.request, LIST, id)).toBe('new')
  isHeld = false
  await page.reload()
  await expectStatus(page, LIST, id, 'in-progress')
  await decide(page.request, LIST, id, UNDECIDED)
})

test('the tabs of a browser share one stream', { tag: '@full' }, async ({ page, context, requestAs }) => {
  const id = await someLead(page, 160)
  const streams = new Set<Request>()
  context.on('request', (request) => request.url().endsWith('/api/events') && streams.add(request))
  context.on('requestfailed', (request) => streams.delete(request))
  const tabs = [page, await context.newPage(), await context.newPage()]
  for (const tab of tabs) {
    await open(tab, pathTo(id))
    await expect(leadStatus(tab, 'new')).toBeVisible()
  }
  await expect.poll(() => streams.size).toBe(1)
  const colleague = await requestAs('admin')
  await decide(colleague, LIST, id, { status: 'handled' })
  for (const tab of tabs) await expect(leadStatus(tab, 'handled')).toBeVisible()
  await decide(colleague, LIST, id, UNDECIDED)
})
