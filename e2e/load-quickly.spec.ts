import { gzipSync } from 'node:zlib'
import type { APIRequestContext } from '@playwright/test'
import { admin, expect, signIn, staff, test } from './fixtures'

const MOST_BYTES = 200_000

/** The scripts in a page's HTML, except `nomodule`, with their gzipped size. */
async function firstScripts(request: APIRequestContext, path: string) {
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

for (const account of [staff, admin])
  for (const path of ['/questions', '/declarations', '/today'])
    test(`the first JavaScript of ${path} for ${account.email} is small`, async ({ request }) => {
      await signIn(request, account)
      const scripts = await firstScripts(request, path)
      expect(scripts.length).toBeGreaterThan(3)
      const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0)
      expect(bytes, JSON.stringify(scripts, null, 1)).toBeLessThanOrEqual(MOST_BYTES)
    })
