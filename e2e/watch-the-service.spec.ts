import type { Page } from '@playwright/test'
import type { Status } from '@/lib/contract/feed-status'
import {
  admin,
  awake,
  changeAnswers,
  expect,
  expectAccessible,
  expectUsable,
  open,
  passTimeUntil,
  test,
} from './fixtures'

test.use({ as: admin })

const MINUTE = 60_000
const REFRESHED_MS = 15_000
const QUESTIONS = 'asked-questions'

/** Opens the screen without a live stream; its first refresh gets the changed answer. */
async function answerWith(page: Page, change: (status: Status) => void): Promise<void> {
  await page.route('**/api/events*', (route) => route.abort())
  await changeAnswers(page, '**/api/status', change)
  await page.clock.install()
  await page.goto('/admin/status')
  await awake(page)
  await page.clock.runFor(REFRESHED_MS)
}

function failing(kind: 'unauthenticated' | 'unauthorized' | 'rate-limited' | 'unavailable' | 'unreadable') {
  return (status: Status) => {
    const at = Date.parse(status.now)
    const [since, retryAt] = [at - 12 * MINUTE, at + 4 * MINUTE].map((ms) => new Date(ms).toISOString())
    status.problems = [{ kind, since: since ?? '', retryAt: retryAt ?? null, list: QUESTIONS }]
  }
}

const questions = (page: Page) => page.getByRole('region', { name: 'Frågor', exact: true })

test.beforeEach(({ allowError }) => allowError(/Failed to load resource/))

test('says in a sentence whether all is well, with the hour’s requests and each list', async ({ page }) => {
  await open(page, '/declarations')
  await page.getByRole('link', { name: 'Driftläge' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Driftläge' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Allt hämtas som det ska' })).toBeVisible()
  await expect(page.getByText(/^\d+ av 600$/)).toBeVisible()
  for (const name of ['Frågor', 'Intresseanmälningar', 'Skolor'])
    await expect(page.getByRole('region', { name, exact: true }).getByText('Fungerar')).toBeVisible()
  await expectAccessible(page)
})

for (const [kind, title, todo] of [
  ['unauthenticated', 'Tjänsten godtar inte Intags nyckel', /LEADS_API_TOKEN och starta om/],
  ['unauthorized', 'Tjänsten ger inte Intag tillträde', /LEADS_API_TOKEN och starta om/],
  ['rate-limited', 'Tjänsten ber Intag att vänta', /bara Intag använder nyckeln/],
  ['unavailable', 'Tjänsten svarar inte', /LEADS_API_URL och nätverket/],
  ['unreadable', 'Svaret från tjänsten går inte att läsa', /LEADS_API_URL leder till tjänsten/],
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

test('without contact the last known state stays, and says so', { tag: '@full' }, async ({ page }) => {
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
    await expect(page.getByText('The service does not accept Intag’s key', { exact: true })).toBeVisible()
    await expectUsable(page)
  })
})
