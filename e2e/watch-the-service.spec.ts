import type { Status } from '@/lib/contract/feed-status'
import { ready, changeAnswers, expect, expectAccessible, open, test } from './fixtures'

test.use({ as: 'admin' })

const MINUTE = 60_000
const REFRESHED_MS = 15_000

test.beforeEach(({ allowError }) => allowError(/Failed to load resource/))

test('says in a sentence whether all is well, with the hour’s requests and each list', async ({ page }) => {
  await open(page, '/admin/status')
  await expect(page.getByRole('heading', { level: 1, name: 'Drift' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Allt hämtas som det ska' })).toBeVisible()
  await expect(page.getByText(/^\d+ av 600$/)).toBeVisible()
  for (const name of ['Frågor', 'Intresseanmälningar', 'Skolor'])
    await expect(page.getByRole('region', { name, exact: true }).getByText('Fungerar')).toBeVisible()
})

test('a list that cannot be fetched is shown with cause, time, advice and next try', async ({ page }) => {
  await page.route('**/api/events*', (route) => route.abort())
  await changeAnswers(page, '**/api/status', (status: Status) => {
    const at = Date.parse(status.now)
    const [since = '', retryAt = ''] = [at - 12 * MINUTE, at + 4 * MINUTE].map((ms) => new Date(ms).toISOString())
    status.problems = [{ kind: 'unauthenticated', since, retryAt, list: 'asked-questions' }]
  })
  await page.clock.install()
  await page.goto('/admin/status')
  await ready(page)
  await page.clock.runFor(REFRESHED_MS)
  await expect(page.getByRole('status').filter({ hasText: '1 lista kan inte hämtas' })).toBeVisible()
  const card = page.getByRole('region', { name: 'Frågor', exact: true })
  await expect(card.getByText('Tjänsten godtar inte Intags nyckel')).toBeVisible()
  await expect(card.getByText(/LEADS_API_TOKEN och starta om/)).toBeVisible()
  await expect(card.getByText(/^.*Felet har varat sedan .*\d\d:\d\d\.$/)).toBeVisible()
  await expect(card.getByText(/^om [34] min$/)).toBeVisible()
  await expectAccessible(page)
})
