import { admin, expect, joinAs, open, read, staff, test } from './fixtures'
import { openList, totalOf } from './leads'
import { ownDemo } from './own-server'

// The demo as it starts by default: with a past.
const ORIGIN = ownDemo(3106, { DEMO_PAST: 'full' })
test.use({ as: staff })

test('the past has answers, late leads, log entries and exports', { tag: '@full' }, async ({ page, context }) => {
  const { request } = context
  const total = (query: string) => totalOf(request, 'asked-questions', query)
  await expect.poll(() => total('answered=true'), { timeout: 30_000 }).toBeGreaterThan(100)
  const { exports } = await read(request, '/api/exports')
  expect(exports).toContainEqual(expect.objectContaining({ purpose: 'Inbjudan till öppet hus' }))
  await openList(page, '/questions?status=handled')
  await joinAs(context, admin, ORIGIN)
  await expect.poll(async () => [await total('late=true'), await total('followUp=true')]).toEqual([3, 1])
  expect(await total('waiting=true')).toBeLessThan(40)
  await open(page, '/admin/activity')
  await expect(page.locator('td').getByText('Karin Ek').first()).toBeVisible()
})
