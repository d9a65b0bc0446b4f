import { CHUNKS, disablePrefetch, expect, expectUsable, joinAsNew, ready, test } from './fixtures'
import { openLeadId, rows } from './leads'
import { body, OPEN } from './reply-desk'

const TEXT = 'Nej det finns inga'

test('while a reply opens letters neither decide nor appear, and all do once it is open', async ({ page }) => {
  const decisions: string[] = []
  page.on('request', (request) => {
    const isDecision = request.method() !== 'GET' && /\/api\/(?:triage|attempts|replies)/.test(request.url())
    if (isDecision) decisions.push(request.url())
  })
  await disablePrefetch(page)
  await joinAsNew(page)
  // All code that the page's HTML does not name is late.
  const html = await (await page.request.get(OPEN)).text()
  const { promise, resolve: codeComes } = Promise.withResolvers<void>()
  await page.route(CHUNKS, async (route) => {
    if (!html.includes(new URL(route.request().url()).pathname)) await promise
    await route.continue()
  })
  // The code of the open lead may be asked for before the page's `load`, which then waits for it.
  await page.goto(OPEN, { waitUntil: 'domcontentloaded' })
  await ready(page)
  await expect(rows(page).first()).toBeVisible()

  await page.keyboard.press('r')
  await page.keyboard.type(TEXT, { delay: 30 })
  const opening = page.getByText('Tangenterna gör inget förrän ärendet är öppet.')
  await expect(opening).toBeVisible()
  await expectUsable(page)
  const id = openLeadId(page)
  codeComes()
  await expect(body(page)).toBeFocused()
  await expect(body(page)).not.toHaveValue(/finns inga/)
  await expect(opening).toBeHidden()
  await page.keyboard.type(TEXT, { delay: 30 })
  await expect(body(page)).toHaveValue(new RegExp(`\n\n${TEXT}\n\n`))
  expect(openLeadId(page)).toBe(id)
  expect(decisions).toEqual([])
})
