import type { APIRequestContext, Page } from '@playwright/test'
import type { Day } from '@/lib/contract/day'
import type { LeadKind, LeadList, LeadRef } from '@/lib/contract/lead'
import type { QueuePage } from '@/lib/contract/list-query'
import { LEAD_LISTS, LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import {
  admin,
  awake,
  changeAnswers,
  daysAgo,
  expect,
  expectAccessible,
  expectToFit,
  newUser,
  open,
  PHONE,
  read,
  signIn,
  staff,
  test,
} from './fixtures'
import {
  cursor,
  decide,
  declarations,
  expectOpen,
  expectStatus,
  fromListMenu,
  leadPane,
  markedBar,
  openLeadId,
  questions,
  rows,
  showNew,
  untilRead,
} from './leads'

test.use({ as: staff })

const NOTHING = { new: 0, late: 0, dueToday: 0, waiting: 0, mine: 0, followUps: 0, snoozed: 0, unassigned: 0 }

/** Old ones, so that no test beside takes them. Of every status: what another test decides moves no place. */
const some = async (request: APIRequestContext, list: LeadList, offset: number): Promise<LeadRef[]> => {
  const leadsOf = list === 'asked-questions' ? questions : declarations
  const found = await leadsOf(request, `to=${daysAgo(120)}&limit=2&offset=${offset}`)
  return found.map(({ id }) => ({ kind: LISTS[list].kind, id }))
}

/** A user of this test alone, who has two leads of each kind to do. Each test has an offset of its own. */
async function withOwnQueue(page: Page, offset: number): Promise<readonly LeadRef[]> {
  await signIn(page.request, await newUser(page.request))
  const leads = (await Promise.all(LEAD_LISTS.map((list) => some(page.request, list, offset)))).flat()
  for (const { kind, id } of leads) await decide(page.request, LISTS_BY_KIND[kind].list, id, { assignee: 'me' })
  return leads
}

const keyOf = ({ kind, id }: LeadRef) => `${kind} ${id}`
const queueOf = async (request: APIRequestContext): Promise<QueuePage['leads'][number][]> =>
  (await read(request, '/api/queues/mine')).leads
const number = (page: Page, queue: string) =>
  page.getByRole('region', { name: 'Köer' }).getByRole('link', { name: queue }).locator('.tabular')

test('a queue of both kinds is walked through in its order, by keys alone, and leads to the next', async ({ page }) => {
  await withOwnQueue(page, 0)
  const order = (await queueOf(page.request)).map(keyOf)
  expect(new Set(order.map((key) => key.split(' ')[0])).size).toBe(2)
  await open(page, '/today')
  await expect(page.getByRole('heading', { name: 'Börja med kön Försenade' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(/Först .*(fråga|anmälan) till /)
  await expect(page.getByRole('link', { name: 'Börja' })).toHaveAttribute('href', /\/queue\/late\?lead=/)
  await page.getByRole('region', { name: 'Köer' }).getByRole('link', { name: 'Mina' }).click()
  await expect(rows(page)).toHaveCount(4)
  await page.keyboard.press('Enter')
  await expectOpen(page, order[0] ?? '')
  await expect(number(page, 'Mina')).toHaveText('4')
  await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Mina4')
  await expectAccessible(page)
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
  await expect(page.getByText('Dina är klara', { exact: true })).toBeVisible()
  await expect(page.getByText(/försenade?\. Först .*(fråga|anmälan) till /)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/queue\/late\?lead=/)
  await expect(rows(page).first()).toHaveAttribute('aria-selected', 'true')
})

test('all is said to be done only when nobody waits', { tag: '@full' }, async ({ page }) => {
  await withOwnQueue(page, 2)
  const day: Day = await read(page.request, '/api/day')
  const answer = { ...day, ...NOTHING, snoozed: 2, mentions: 0, oldest: null }
  await page.route('**/api/day*', (route) => route.fulfill({ json: answer }))
  await open(page, '/queue/mine')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/lead=/)
  for (let left = 4; left > 0; left--) {
    await expect(rows(page)).toHaveCount(left)
    await untilRead(page)
    const before = openLeadId(page)
    await page.keyboard.press('e')
    await expect.poll(() => openLeadId(page)).not.toBe(before)
  }
  await expect(page.getByText('Klart för i dag', { exact: true })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('2 påminns senare.')
})

test('a lead of a queue is opened by its address, which says its kind, also where the other kind has that id', async ({
  page,
}) => {
  await withOwnQueue(page, 4)
  const queue = await queueOf(page.request)
  const question = queue.find(({ kind }) => kind === 'asked-question')
  const declaration = queue.find(({ kind }) => kind === 'declaration-of-interest')
  if (question === undefined || declaration === undefined) throw new Error('one of each')
  const key = keyOf(declaration)
  await open(page, `/queue/mine?lead=${encodeURIComponent(key)}`)
  await expect(leadPane(page).locator('article h2').first()).toBeVisible()
  await expect(cursor(page)).toHaveAttribute('aria-selected', 'true')
  await page.reload()
  await awake(page)
  await expectOpen(page, key)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/queue\/mine$/)
  // As if both had one id: marks and cursor stay with the one that was meant.
  await changeAnswers(page, '**/api/queues/mine*', ({ leads, ...rest }: { leads?: QueuePage['leads'][number][] }) => ({
    ...rest,
    ...(leads && { leads: leads.map((lead) => ({ ...lead, id: 'same' })) }),
  }))
  await page.getByRole('radio', { name: 'Frågor' }).check({ force: true })
  await page.getByRole('radio', { name: 'Alla' }).check({ force: true })
  await expect(rows(page)).toHaveCount(4)
})

test(
  'a queue shows one kind where that is chosen, and its number says of how many',
  { tag: '@full' },
  async ({ page }) => {
    await withOwnQueue(page, 6)
    await open(page, '/queue/mine')
    await expect(rows(page)).toHaveCount(4)
    await page.getByRole('radio', { name: 'Frågor' }).check({ force: true })
    await expect(page).toHaveURL(/kind=asked-question/)
    await expect(rows(page)).toHaveCount(2)
    await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('2 av 4')
    await expect(number(page, 'Mina')).toHaveText('4')
    for (let left = 2; left > 0; left--) {
      await expect(rows(page)).toHaveCount(left)
      await rows(page).first().click()
      await expect(rows(page).first()).toHaveAttribute('aria-selected', 'true')
      await expect(leadPane(page).locator('article h2').first()).toBeVisible()
      await untilRead(page)
      await page.keyboard.press('e')
    }
    await expect(page.getByText('Inga av det slaget här')).toBeVisible()
    await page.getByRole('button', { name: 'Visa hela kön' }).click()
    // Under a pointer the rows would stay as they were.
    await page.mouse.move(5, 5)
    await expect(rows(page)).toHaveCount(2)
  },
)

/** A user with two old questions to do, and a declaration that is newer than both. */
async function withNewer(page: Page, offset: number) {
  const user = await newUser(page.request)
  await signIn(page.request, user)
  for (const { id } of await some(page.request, 'asked-questions', offset))
    await decide(page.request, 'asked-questions', id, { assignee: 'me' })
  const newer = await declarations(page.request, `status=new&to=${daysAgo(90)}&limit=1&offset=${offset}`)
  await open(page, '/queue/mine')
  await expect(rows(page)).toHaveCount(2)
  return { user, id: newer[0]?.id ?? '', wanted: page.getByRole('button', { name: '1 ny, visa' }) }
}

test('what comes into a queue waits until it is wanted, wherever it belongs', async ({ page, request }) => {
  const { user, id, wanted } = await withNewer(page, 8)
  await signIn(request, admin)
  await decide(request, 'declarations-of-interest', id, { assignee: user.id })
  await expect(wanted).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  await expect(number(page, 'Mina')).toHaveText('3')
  await wanted.click()
  await expect(rows(page)).toHaveCount(3)
  await expect(wanted).toHaveCount(0)
})

test('what one does oneself is in the queue at once: taken over, taken back, no longer put aside', async ({ page }) => {
  const { id, wanted } = await withNewer(page, 16)
  const change = (what: object) => decide(page.request, 'declarations-of-interest', id, what)
  await change({ assignee: 'me' })
  await expect(rows(page)).toHaveCount(3)
  for (const [there, back] of [
    [{ status: 'handled' }, { status: 'new' }],
    [{ snoozeUntil: daysAgo(-7) }, { snoozeUntil: null }],
  ]) {
    await change(there ?? {})
    await page.reload()
    await expect(rows(page)).toHaveCount(2)
    await change(back ?? {})
    await expect(rows(page)).toHaveCount(3)
    await expect(wanted).toHaveCount(0)
  }
})

test(
  'both kinds are decided together and taken back together; a file is of one kind',
  { tag: '@full' },
  async ({ page }) => {
    const leads = await withOwnQueue(page, 12)
    await open(page, '/queue/mine')
    await expect(rows(page)).toHaveCount(4)
    await fromListMenu(page, 'Exportera')
    const which = page.getByRole('dialog', { name: 'Frågor och intresseanmälningar blir var sin lista' })
    await expectAccessible(page)
    await which.getByRole('button', { name: '2 intresseanmälningar' }).click()
    await expect(page.getByRole('button', { name: /^Exportera 2/ })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('*')
    await expect(markedBar(page)).toContainText('4 markerade')
    await page.keyboard.press('e')
    await expect(rows(page)).toHaveCount(0)
    for (const { kind, id } of leads) await expectStatus(page, LISTS_BY_KIND[kind].list, id, 'handled')
    await page.keyboard.press('z')
    await expect(rows(page)).toHaveCount(4)
    for (const { kind, id } of leads) await expectStatus(page, LISTS_BY_KIND[kind].list, id, 'new')
  },
)

test('a user of one school has its leads in every queue, and no others', async ({ page, allowError }) => {
  allowError(/404 \(Not Found\) at .*nobodys/)
  await signIn(page.request, await newUser(page.request, { schools: ['norra-gymnasiet'] }))
  await open(page, '/queue/waiting')
  await expect(rows(page).first()).toBeVisible()
  const { leads }: { leads: QueuePage['leads'][number][] } = await read(page.request, '/api/queues/waiting?limit=500')
  expect(new Set(leads.map(({ highSchoolId }) => highSchoolId))).toEqual(new Set(['norra-gymnasiet']))
  expect((await page.request.get('/api/queues/nobodys')).status()).toBe(404)
  await page.goto('/queue/nobodys')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/finns inte/i)
})

test.describe('on a phone', () => {
  test.use({ ...PHONE })

  test(
    'the day has the queues that the menu has elsewhere, and a lead opens over its queue',
    { tag: '@full' },
    async ({ page }) => {
      await withOwnQueue(page, 14)
      await open(page, '/today')
      await expect(number(page, 'Mina')).toHaveText('4')
      await expectToFit(page)
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Börja' }).tap()
      await expect(page).toHaveURL(/\/queue\/late\?lead=/)
      await expect(leadPane(page).locator('article h2').first()).toBeVisible()
      await open(page, '/queue/mine')
      await expect(rows(page)).toHaveCount(4)
      await expectToFit(page)
      await expectAccessible(page)
      await rows(page).first().tap()
      await expect(leadPane(page).locator('article h2').first()).toBeVisible()
      await page.goBack()
      await expect(rows(page)).toHaveCount(4)
    },
  )
})

test('a queue is filtered by what its questions are about, and says so', { tag: '@full' }, async ({ page }) => {
  await open(page, '/queue/waiting')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const filters = page.getByRole('dialog', { name: 'Filter' })
  await filters.getByRole('checkbox', { name: 'Resor och boende' }).check()
  await expect(page).toHaveURL(/topic=transport/)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(async () => {
    await showNew(page)
    const { total } = await read(page.request, '/api/queues/waiting?topic=transport')
    expect(total).toBeGreaterThan(0)
    await expect(rows(page).first()).toHaveAttribute('aria-setsize', String(total), { timeout: 500 })
  }).toPass()
  await page.getByRole('button', { name: 'Ta bort filtret Frågan gäller: Resor och boende' }).click()
  await expect(page).not.toHaveURL(/topic=/)
})
