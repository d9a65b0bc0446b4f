import { gzipSync } from 'node:zlib'
import type { APIRequestContext } from '@playwright/test'
import { expect, open, test } from './fixtures'

const MAX_BYTES = 190_000
/** With all that the inbox loads by itself. */
const MAX_AT_REST_BYTES = 260_000

test.use({ as: 'staff' })

/** The scripts in a page's HTML, except `nomodule`, with their gzipped size. */
async function measureFirstScripts(request: APIRequestContext, path: string) {
  const html = await (await request.get(path)).text()
  const tags = [...html.matchAll(/<script\b[^>]*\bsrc="([^"]+)"[^>]*>/g)].filter(([tag]) => !/nomodule/i.test(tag))
  const addresses = new Set(tags.map(([, src = '']) => src))
  return Promise.all(
    [...addresses].map(async (address) => {
      const script = await request.get(address)
      expect(script.status(), address).toBe(200)
      return { address, bytes: gzipSync(await script.body(), { level: 9 }).length }
    }),
  )
}

for (const who of ['staff', 'admin'] as const)
  test(`the first JavaScript of each screen for ${who} is small`, async ({ requestAs }) => {
    for (const path of ['/questions', '/declarations', '/today']) {
      const request = await requestAs(who)
      const scripts = await measureFirstScripts(request, path)
      expect(scripts.length).toBeGreaterThan(3)
      const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0)
      expect(bytes, path + JSON.stringify(scripts, null, 1)).toBeLessThanOrEqual(MAX_BYTES)
    }
  })

test('what the inbox loads by itself is small', async ({ page }) => {
  const sizes = new Map<string, Promise<number>>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.endsWith('.js'))
      sizes.set(
        pathname,
        response.body().then((body) => gzipSync(body, { level: 9 }).length),
      )
  })
  await open(page, '/questions')
  await expect(async () => {
    const before = sizes.size
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_500)))
    expect([sizes.size, before > 10]).toEqual([before, true])
  }).toPass()
  const bytes = (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0)
  expect(bytes).toBeLessThanOrEqual(MAX_AT_REST_BYTES)
})
