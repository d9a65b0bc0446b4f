import { ACCOUNTS, CONNECTED, expect, read, test } from './fixtures'

const TOKEN = 'all-7'

test.use({ baseURL: CONNECTED, as: 'bootstrapAdmin' })

test('shows the very leads that the service has, over HTTP', async ({ context, request }) => {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const path = 'http://localhost:4120/v1/external/conversions/declarationsOfInterest'
  const { declarationsOfInterest: own } = await (await request.get(path, { headers })).json()
  const first = await read(context.request, '/api/declarations-of-interest?limit=500')
  expect(first).toMatchObject({ total: own.length, snapshot: { stale: false, problem: null, unreadable: 0 } })
  const fields = Object.keys(own[0])
  const shown = first.declarationsOfInterest.map((item: Record<string, unknown>) =>
    Object.fromEntries(fields.map((field) => [field, item[field]])),
  )
  expect(shown).toEqual(own.slice(0, 500))
})

test('the token is in no page, bundle, answer or header', async ({ page, context }) => {
  const seen: string[] = []
  page.on('response', async (response) => {
    seen.push(JSON.stringify(response.headers()))
    seen.push(await response.text().catch(() => ''))
  })
  await page.goto('/declarations')
  await page.waitForLoadState('networkidle')
  const scripts = await page
    .locator('script[src]')
    .evaluateAll((all) => all.map((script) => script.getAttribute('src') ?? ''))
  const paths = ['/api/status', '/api/high-schools', '/api/high-schools/nope', '/api/health', '/external/highSchools']
  for (const path of [...scripts, ...paths]) seen.push(await (await context.request.get(path)).text())
  expect(seen.length).toBeGreaterThan(10)
  expect(seen.filter((text) => text.includes(TOKEN) || text.includes('Bearer'))).toEqual([])
})

test('connected there is no demo account and no external service at this origin', async ({ request }) => {
  const { csrfToken } = await read(request, '/api/auth/csrf')
  const form = { csrfToken, ...ACCOUNTS.staff, json: 'true' }
  expect((await request.post('/api/auth/callback/credentials', { form })).status()).toBe(401)
  const external = await request.get('/external/highSchools', { headers: { authorization: 'Bearer demo' } })
  expect([external.status(), await external.json()]).toEqual([404, { error: 'Not Found' }])
})

test('an administrator first chooses from when leads are work', { tag: '@full' }, async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveURL(`${CONNECTED}/admin/work`)
  await expect(page.getByLabel('Ärenden räknas som att göra')).toHaveValue('today')
})
