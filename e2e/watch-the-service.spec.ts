import type { Page } from '@playwright/test'
import type { FeedReport } from '@/lib/contract/feed-status'
import {
  admin,
  awake,
  changeAnswers,
  expect,
  expectAccessible,
  expectUsable,
  open,
  passTimeUntil,
  read,
  test,
} from './fixtures'

test.use({ as: admin })

const MINUTE = 60_000
const REFRESHED_MS = 15_000
const QUESTIONS = 'asked-questions'

/** Opens the screen; its first refresh gets the changed answer. */
async function answerWith(page: Page, change: (report: FeedReport) => void): Promise<void> {
  await changeAnswers(page, '**/api/feed-report', change)
  await page.clock.install()
  await page.goto('/admin/status')
  await awake(page)
  await page.clock.runFor(REFRESHED_MS)
}

function failing(kind: 'unauthenticated' | 'unauthorized' | 'rate-limited' | 'unavailable' | 'unreadable') {
  return (report: FeedReport) => {
    const at = Date.parse(report.at)
    const list = report.lists[QUESTIONS]
    list.problem = { kind, since: new Date(at - 12 * MINUTE).toISOString(), detail: 'status of the service' }
    list.nextAt = new Date(at + 4 * MINUTE).toISOString()
    const failed = { durationMs: 10_000, bytes: 0, outcome: kind, detail: 'status of the service' }
    list.history = [{ ...failed, at: new Date(at - 1000).toISOString() }, ...list.history].slice(0, 60)
  }
}

const questions = (page: Page) => page.getByRole('region', { name: 'Frågor', exact: true })

test('each list has numbers, a chart and a table', { tag: '@full' }, async ({ page }) => {
  await open(page, '/declarations')
  await page.getByRole('link', { name: 'Driftläge' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Driftläge' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Allt hämtas som det ska' })).toBeVisible()
  const report: FeedReport = await read(page.request, '/api/feed-report')
  for (const [name, list] of [
    ['Frågor', QUESTIONS],
    ['Intresseanmälningar', 'declarations-of-interest'],
    ['Skolor', 'high-schools'],
  ] as const) {
    const card = page.getByRole('region', { name, exact: true })
    await expect(card.getByRole('img', { name: new RegExp(`^${name}: de senaste`) })).toBeVisible()
    expect(report.lists[list].records).toBeGreaterThan(0)
  }
  await expect(page.getByText(/^\d+ av 600$/)).toBeVisible()
  await questions(page).getByText('Visa som tabell').click()
  await expect(questions(page).getByRole('row').nth(1)).toContainText(/\d\d:\d\d:\d\d/)
  await expectAccessible(page)
})

for (const [kind, title, todo] of [
  ['unauthenticated', 'Tjänsten godtar inte nyckeln', /LEADS_API_TOKEN och starta om/],
  ['unauthorized', 'Nyckeln ger inte tillträde', /LEADS_API_TOKEN och starta om/],
  ['rate-limited', 'Tjänsten tar inte emot fler anrop', /bara Intag använder nyckeln/],
  ['unavailable', 'Tjänsten svarar inte', /LEADS_API_URL och nätverket/],
  ['unreadable', 'Svaret går inte att läsa', /LEADS_API_URL leder till tjänsten/],
] as const) {
  const tag = kind === 'unauthenticated' ? [] : '@full'
  test(`${kind} is shown with cause, time, advice and next try`, { tag }, async ({ page }) => {
    await answerWith(page, failing(kind))
    await expect(page.getByRole('status').filter({ hasText: '1 lista kan inte hämtas' })).toBeVisible()
    const card = questions(page)
    await expect(card.getByText(title)).toBeVisible()
    await expect(card.getByText(todo)).toBeVisible()
    await expect(card.getByText(/^.*Felet har varat sedan .*\d\d:\d\d\.$/)).toBeVisible()
    await expect(card.getByText(/Nytt försök om [34] min\. Så länge visas det som hämtades/)).toBeVisible()
    await expectAccessible(page)
  })
}

test('records set aside are listed, with the true count', { tag: '@full' }, async ({ page }) => {
  const records = Array.from({ length: 200 }, (_, index) => ({
    index: index * 3,
    id: index === 0 ? null : `lead-${index}`,
    reason: 'createdAt: expected ISO 8601',
  }))
  await answerWith(page, (report) => void (report.lists[QUESTIONS].setAside = { total: 1234, records }))
  await expect(page.getByText(/Allt hämtas, men 1.234 poster gick inte att läsa/)).toBeVisible()
  const table = questions(page).getByRole('table', { name: 'Frågor: undanlagda poster' })
  await expect(table.getByRole('row')).toHaveCount(201)
  await expect(table.getByRole('row', { name: '3 lead-1 createdAt: expected ISO 8601', exact: true })).toBeVisible()
  await expect(questions(page).getByText(/De första 200 av 1.234 visas/)).toBeVisible()
  await expectAccessible(page)
})

test('without contact the last known state stays, and says so', { tag: '@full' }, async ({ page, allowError }) => {
  allowError(/Failed to load resource/)
  await page.clock.install()
  await open(page, '/admin/status')
  await page.route('**/api/**', (route) => route.abort())
  await passTimeUntil(page, 2_000, () =>
    expect(page.getByRole('alert').filter({ hasText: 'Ingen kontakt med Intag' })).toBeVisible({ timeout: 200 }),
  )
  await expect(questions(page).getByText('Fungerar')).toBeVisible()
})

test.describe('on a phone, dark, in English', () => {
  test.use({ viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'en-GB' })
  test('the screen is usable while a list fails', { tag: '@full' }, async ({ page }) => {
    await answerWith(page, failing('unauthenticated'))
    await expect(page.getByText('The service does not accept the key')).toBeVisible()
    await expectUsable(page)
  })
})
