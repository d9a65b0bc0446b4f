import { awake, daysAgo, DEMO, expect, open, openLeadId, rows, signIn, staff, test } from './fixtures'

// A picture of every step would take longer than the steps.
test.use({ trace: 'off' })

test('twenty leads are handled by keyboard alone, each giving way to the next', async ({ page, context }) => {
  await signIn(context.request, staff)
  await open(page, `/questions?status=new&mode=email&to=${daysAgo(30)}`)
  await expect(rows(page).first()).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/lead=/)
  const handled: string[] = []
  for (let count = 0; count < 20; count++) {
    const id = openLeadId(page)
    handled.push(id)
    // As fast as a hand can mean it: what comes sooner is a bounce of the key before.
    await page.keyboard.press('e', { delay: 300 })
    await page.waitForURL((url) => url.searchParams.get('lead') !== id)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 200))))
  }
  expect(new Set(handled).size).toBe(20)
  const ids = new URLSearchParams(handled.map((id) => ['id', id]))
  await expect(async () => {
    const answer = await context.request.get(`${DEMO}/api/asked-questions?status=handled&limit=1&${ids}`)
    expect((await answer.json()).total).toBe(20)
  }).toPass()

  const next = openLeadId(page)
  await page.reload()
  await awake(page)
  expect(openLeadId(page)).toBe(next)
  const answer = await context.request.get(`${DEMO}/api/asked-questions?id=${encodeURIComponent(next)}`)
  expect((await answer.json()).askedQuestions[0].triage.status, 'opening decides nothing').toBe('new')
})
