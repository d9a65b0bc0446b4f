import { admin, comeIn, expect, open, read, staff, test } from './fixtures'
import { rows, totalOf } from './leads'
import { ownDemo } from './own-server'

// The demo as it starts without any setting but its size: with a past.
const ORIGIN = ownDemo(3106, { DEMO_TIER: 'S', DEMO_PAST: 'full' })
test.use({ as: staff })

test(
  'colleagues have answered most questions, a few are late, and the log tells of them and of the files that left',
  { tag: '@full' },
  async ({ page, context }) => {
    const { request } = context
    const total = (query: string) => totalOf(request, 'asked-questions', query)
    await expect.poll(() => total('answered=true'), { timeout: 30_000 }).toBeGreaterThan(100)
    expect([await total('late=true'), await total('followUp=true')]).toEqual([3, 1])
    expect(await total('waiting=true')).toBeLessThan(20)
    expect((await read(request, '/api/triage/undo')).changes, 'nothing of it is for the guest to undo').toEqual([])
    await open(page, '/questions?status=handled')
    await expect(rows(page).first()).toBeVisible()
    await comeIn(context, admin, ORIGIN)
    await open(page, '/admin/activity')
    await expect(page.locator('td').getByText('Karin Ek').first()).toBeVisible()
    const { exports } = await read(request, '/api/exports')
    expect(exports).toContainEqual(expect.objectContaining({ purpose: 'Vanliga frågor till webbsidan' }))
  },
)
