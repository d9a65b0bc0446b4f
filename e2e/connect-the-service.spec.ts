import { bootstrapAdmin, comeIn, CONNECTED, expect, newPerson, signIn, staff, test } from './fixtures'

const SERVICE = 'http://localhost:4120/v1'
const TOKEN = 'all-7'

test.describe.configure({ mode: 'serial' })

test('shows the very leads that the service has, over HTTP', async ({ request }) => {
  await signIn(request, bootstrapAdmin, CONNECTED)
  const own = await request.get(`${SERVICE}/external/conversions/declarationsOfInterest`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  const { declarationsOfInterest } = await own.json()
  const first = await (await request.get(`${CONNECTED}/api/declarations-of-interest?limit=500`)).json()
  expect(first.total).toBe(declarationsOfInterest.length)
  expect(first.snapshot).toMatchObject({ stale: false, problem: null, unreadable: 0 })
  for (const { triage, contactId, attempts } of first.declarationsOfInterest) {
    expect(triage).toEqual({ status: 'new', assignee: null, updatedAt: null })
    expect(contactId).not.toBe('')
    expect(attempts).toEqual({ count: 0, last: null })
  }
  const fields = Object.keys(declarationsOfInterest[0])
  const shown = first.declarationsOfInterest.map((item: Record<string, unknown>) =>
    Object.fromEntries(fields.map((field) => [field, item[field]])),
  )
  expect(shown).toEqual(declarationsOfInterest.slice(0, 500))
})

test('sixty browsers that reload cost the service nothing', async ({ request }) => {
  await signIn(request, bootstrapAdmin, CONNECTED)
  const spent = async () => (await (await request.get(`${CONNECTED}/api/status`)).json()).budget.spentThisHour
  const before = await spent()
  const statuses = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const path = index % 2 === 0 ? '/declarations' : '/api/asked-questions?limit=100'
      return (await request.get(CONNECTED + path)).status()
    }),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect((await spent()) - before).toBeLessThan(15)
  const { lists } = await (await request.get(`${CONNECTED}/api/status`)).json()
  for (const list of Object.values<{ problem: unknown }>(lists)) expect(list.problem).toBeNull()
})

test('the token is in no page, bundle, answer or header', async ({ page, context }) => {
  await comeIn(context, bootstrapAdmin, CONNECTED)
  const seen: string[] = []
  page.on('response', async (response) => {
    seen.push(JSON.stringify(response.headers()))
    seen.push(await response.text().catch(() => ''))
  })
  await page.goto(`${CONNECTED}/declarations`)
  await page.waitForLoadState('networkidle')
  const scripts = await page
    .locator('script[src]')
    .evaluateAll((all) => all.map((script) => script.getAttribute('src') ?? ''))
  for (const path of [
    ...scripts,
    '/api/status',
    '/api/high-schools',
    '/api/high-schools/nope',
    '/api/health',
    '/external/highSchools',
  ]) {
    seen.push(await (await context.request.get(new URL(path, CONNECTED).href)).text())
  }
  expect(seen.length).toBeGreaterThan(10)
  expect(seen.filter((text) => text.includes(TOKEN) || text.includes('Bearer'))).toEqual([])
})

test('connected there is no demo account and no external service at this origin', async ({ request }) => {
  const csrf = await (await request.get(`${CONNECTED}/api/auth/csrf`)).json()
  const answer = await request.post(`${CONNECTED}/api/auth/callback/credentials`, {
    form: { csrfToken: csrf.csrfToken, ...staff, json: 'true' },
  })
  expect(answer.status()).toBe(401)
  const external = await request.get(`${CONNECTED}/external/highSchools`, { headers: { authorization: 'Bearer demo' } })
  expect([external.status(), await external.json()]).toEqual([404, { error: 'Not Found' }])
})

test('an administrator adds a person, who sees only the schools given', async ({ request, playwright }) => {
  await signIn(request, bootstrapAdmin, CONNECTED)
  const { highSchools } = await (await request.get(`${CONNECTED}/api/high-schools`)).json()
  const { id, email, password } = await newPerson(request, { origin: CONNECTED, schools: [highSchools[0].id] })
  const person = await playwright.request.newContext()
  await signIn(person, { email, password }, CONNECTED)
  const theirs = await (await person.get(`${CONNECTED}/api/high-schools`)).json()
  expect(theirs.highSchools).toEqual([highSchools[0]])
  const disabled = await request.patch(`${CONNECTED}/api/users/${id}`, {
    headers: { origin: CONNECTED },
    data: { disabled: true },
  })
  expect(disabled.status()).toBe(200)
  expect((await person.get(`${CONNECTED}/api/high-schools`)).status()).toBe(401)
  await person.dispose()
})

test('metrics are for whoever holds their token', async ({ request }) => {
  expect((await request.get(`${CONNECTED}/api/metrics`)).status()).toBe(401)
  const answer = await request.get(`${CONNECTED}/api/metrics`, {
    headers: { authorization: 'Bearer metrics-for-tests' },
  })
  expect(await answer.text()).toContain('intag_upstream_spent_this_hour')
})
