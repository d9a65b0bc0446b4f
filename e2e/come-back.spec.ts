import {
  admin,
  awake,
  changeAnswers,
  expect,
  expectAccessible,
  joinAs,
  open,
  passTimeUntil,
  staff,
  test,
  yesterday,
} from './fixtures'
import { declarations, openFilter } from './leads'

const LIST = 'declarations-of-interest'

test.use({ as: staff })

test('leads since the last visit are set apart, and shown alone by one press', async ({ page }) => {
  const freshSince = (await declarations(page.request, `limit=4&to=${yesterday}`))[3]?.createdAt
  await changeAnswers(page, '**/api/list-counts', (counts: object) => ({ ...counts, fresh: 3, freshSince }))
  await open(page, `/declarations?status=new&to=${yesterday}`)
  await page.getByRole('button', { name: 'Ta bort filtret Status: Ny' }).click()
  const list = page.getByRole('listbox')
  await expect(list.getByText(/^Nytt sedan /)).toBeVisible()
  const places = [list.getByText('Tidigare', { exact: true }), page.locator('#row-2'), page.locator('#row-3')]
  await expect(async () => {
    const [heading, last, first] = await Promise.all(places.map((place) => place.boundingBox()))
    expect(heading?.y).toBeGreaterThan(last?.y ?? Infinity)
    expect(heading?.y).toBeLessThan(first?.y ?? 0)
  }).toPass({ timeout: 10_000 })
  await expectAccessible(page)
  await openFilter(page, 'Status')
  await page.getByRole('checkbox', { name: /^Nytt sedan sist\s*3$/ }).check()
  await expect(page).toHaveURL(/fresh=1/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Ta bort filtret Nytt sedan sist' })).toBeVisible()
  await page.goBack()
  await expect(list.getByText(/^Nytt sedan /)).toBeVisible()
})

test('a hidden tab notifies of new leads by number, if switched on', { tag: '@full' }, async ({ page, context }) => {
  await joinAs(context, admin)
  await context.grantPermissions(['notifications'])
  await page.addInitScript(() => {
    const notices: string[] = []
    Object.assign(window, {
      notices,
      Notification: class extends EventTarget {
        static readonly permission: NotificationPermission = 'granted'
        static readonly requestPermission: () => Promise<string> = async () => 'granted'
        constructor(text: string) {
          super()
          notices.push(text)
        }
      },
    })
  })
  let total = 100
  await page.route('**/api/events', (route) => {
    const counts = ['asked-questions', LIST].map((list) => ({ list, total }))
    const body = counts.map((data) => `event: counts\ndata: ${JSON.stringify(data)}\n\n`).join('')
    return route.fulfill({ contentType: 'text/event-stream', body: `retry: 1000\n\n${body}` })
  })
  // Without the stream the page asks, with the same answer.
  await changeAnswers(page, '**/api/list-counts', (counts: object) => ({ ...counts, total }))
  await page.clock.install()
  await open(page, '/questions')
  await page.getByRole('button', { name: /Administratör/ }).click()
  await page.getByRole('menuitem', { name: 'Slå på aviseringar' }).click()
  await expect(page.getByText('Du får veta när något nytt kommer in medan fliken är dold.')).toBeVisible()
  const counted = page.waitForResponse('**/api/events')
  await page.reload()
  await counted
  // The count is known by then: only later leads are new.
  await awake(page)
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  total = 103
  await passTimeUntil(page, 5_000, async () =>
    expect(await page.evaluate('notices')).toEqual([expect.stringMatching(/^3 .* 3 /)]),
  )
  expect(String(await page.evaluate('notices'))).not.toMatch(/@|\d{4}/)
})
