import {
  admin,
  awake,
  changeAnswers,
  expect,
  expectAccessible,
  open,
  passTimeUntil,
  read,
  staff,
  test,
  yesterday,
} from './fixtures'
import { declarations } from './leads'

const LIST = 'declarations-of-interest'

test.use({ as: staff })

test('what came since the last visit stands apart, and one press shows only that', async ({ page }) => {
  const freshSince = (await declarations(page.request, `limit=4&to=${yesterday}`))[3]?.createdAt
  await changeAnswers(page, '**/api/list-counts', (counts: object) => ({ ...counts, fresh: 3, freshSince }))
  await open(page, `/declarations?status=new&to=${yesterday}`)
  // The first numbers come with the page.
  await page.getByRole('button', { name: 'Ta bort filtret Status' }).click()
  const list = page.getByRole('listbox')
  await expect(list.getByText(/^Nytt sedan /)).toBeVisible()
  const [heading, last, first] = await Promise.all(
    [list.getByText('Tidigare', { exact: true }), page.locator('#row-2'), page.locator('#row-3')].map((place) =>
      place.boundingBox(),
    ),
  )
  expect(heading?.y).toBeGreaterThan(last?.y ?? Infinity)
  expect(heading?.y).toBeLessThan(first?.y ?? 0)
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Sedan sist\s*3$/ }).click()
  await expect(page).toHaveURL(/fresh=1/)
  await expect(page.getByRole('button', { name: /^Sedan sist/ })).toHaveAttribute('aria-pressed', 'true')
  await page.goBack()
  await expect(list.getByText(/^Nytt sedan /)).toBeVisible()
})

test.describe('a hidden tab', () => {
  test.use({ as: admin })
  test('tells of new leads by their number, where one has chosen so', { tag: '@full' }, async ({ page, context }) => {
    await context.grantPermissions(['notifications'])
    await page.addInitScript(() => {
      let isHidden = false
      const told: string[] = []
      Object.defineProperty(document, 'hidden', { get: () => isHidden })
      Object.assign(window, {
        told,
        hideTab: () => {
          isHidden = true
          document.dispatchEvent(new Event('visibilitychange'))
        },
        Notification: class extends EventTarget {
          static readonly permission: NotificationPermission = 'granted'
          static requestPermission(): Promise<NotificationPermission> {
            return Promise.resolve('granted')
          }
          constructor(text: string) {
            super()
            told.push(text)
          }
        },
      })
    })
    let total = 100
    await page.route('**/api/events', (route) => {
      const counts = ['asked-questions', LIST].map((list) => ({ list, total, unhandled: {}, isWhole: true }))
      const body = counts.map((data) => `event: counts\ndata: ${JSON.stringify(data)}\n\n`).join('')
      return route.fulfill({ contentType: 'text/event-stream', body: `retry: 1000\n\n${body}` })
    })
    // While the stream is away the page asks by itself, and is told the same.
    await changeAnswers(page, '**/api/list-counts', (counts: object) => ({ ...counts, total }))
    await page.clock.install()
    await open(page, '/questions')
    await page.getByRole('button', { name: /Administratör/ }).click()
    await page.getByRole('menuitem', { name: 'Slå på aviseringar' }).click()
    await expect(page.getByText('Du får veta när något nytt kommer in medan fliken är dold.')).toBeVisible()
    const counted = page.waitForResponse('**/api/events')
    await page.reload()
    await counted
    // What was counted has been noted by then: only what comes later is news.
    await awake(page)
    await page.evaluate('hideTab()')
    total = 103
    await passTimeUntil(page, 5_000, async () =>
      expect(await page.evaluate('told')).toEqual([expect.stringMatching(/^3 .* 3 /)]),
    )
    expect(String(await page.evaluate('told'))).not.toMatch(/@|\d{4}/)
  })
})

test.describe('before the first data', () => {
  test.use({ allowedError: /status of 503/ })

  test('a fault of the service is named, not promised away', { tag: '@full' }, async ({ page, context }) => {
    const since = new Date(Date.now() - 60_000).toISOString()
    const problems = [{ list: LIST, kind: 'unavailable', since, retryAt: null }]
    const lists = { 'asked-questions': null, [LIST]: null, 'high-schools': null }
    const status = { ...(await read(context.request, '/api/status')), lists, problems }
    const body = `event: status\ndata: ${JSON.stringify(status)}\n\n`
    await page.route('**/api/events', (route) => route.fulfill({ contentType: 'text/event-stream', body }))
    await page.route('**/api/status', (route) => route.fulfill({ json: status }))
    await page.route(`**/api/${LIST}?*`, (route) =>
      route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: { error: 'Not ready' } }),
    )
    await open(page, '/questions')
    await page.getByRole('link', { name: 'Intresseanmälningar' }).click()
    await expect(page.getByRole('heading', { name: /^Intresseanmälningar/ })).toBeVisible()
    await page.getByRole('button', { name: /^Sortera/ }).click()
    await page.getByRole('menuitemradio', { name: 'Namn' }).click()
    await expect(page.getByText(/^Det som hör hit har inte kunnat hämtas än\. Intag försöker igen/)).toBeVisible()
    await expect(page.getByText('Hämtar de första uppgifterna')).toBeHidden()
    await expectAccessible(page)
  })
})
