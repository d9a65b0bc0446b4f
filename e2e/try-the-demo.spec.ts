import { admin, expect, open, rows, signIn, staff, test } from './fixtures'
import { startFresh } from './own-server'

const ORIGIN = 'http://localhost:3106'
test.use({ baseURL: ORIGIN })
test.describe.configure({ mode: 'serial' })

let stop = async () => {}
test.beforeAll(async () => {
  test.setTimeout(90_000)
  // The demo as it starts without any setting but its size: with a past.
  ;({ stop } = await startFresh(3106, { DEMO_TIER: 'S', DEMO_PAST: 'full' }))
})
test.afterAll(() => stop())

test('colleagues have answered most questions, and a few are late', { tag: '@full' }, async ({ page }) => {
  const { request } = page.context()
  await signIn(request, staff, ORIGIN)
  const total = async (query: string): Promise<number> =>
    (await (await request.get(`/api/asked-questions?limit=1&${query}`)).json()).total
  await expect(async () => expect(await total('answered=true')).toBeGreaterThan(100)).toPass({ timeout: 30_000 })
  expect(await total('late=true')).toBe(3)
  expect(await total('followUp=true')).toBe(1)
  expect(await total('waiting=true')).toBeLessThan(20)
  const { changes } = await (await request.get('/api/triage/undo')).json()
  expect(changes, 'nothing of it is for the guest to undo').toEqual([])
  await open(page, '/questions?status=handled')
  await expect(rows(page).first()).toBeVisible()
})

test('the log tells of them, and the files that left', { tag: '@full' }, async ({ page }) => {
  const { request } = page.context()
  await signIn(request, admin, ORIGIN)
  await open(page, '/admin/activity')
  await expect(page.locator('td').getByText('Karin Ek').first()).toBeVisible()
  const { exports } = await (await request.get('/api/exports')).json()
  expect(exports.map(({ purpose }: { purpose: string }) => purpose)).toContain('Vanliga frågor till webbsidan')
})
