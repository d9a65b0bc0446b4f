import { expect, test } from 'vitest'
import { busyPage } from './busy-page'

const asked = (language: string, chosen?: string) => ({
  cookie: () => chosen,
  headers: new Headers({ 'accept-language': language }),
})

test('says in the user’s language that there is no room now, and reloads by itself', async () => {
  const page = busyPage(asked('sv-SE,sv'), 'n0nce', 4)
  expect(page.status).toBe(503)
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'retry-after': '4',
    refresh: '4',
    'cache-control': 'no-store',
  })
  const html = await page.text()
  expect(html).toContain('<html lang="sv">')
  expect(html).toContain('Många öppnar Intag just nu')
  expect(html).toContain('<style nonce="n0nce">')
  expect(await busyPage(asked('en-GB'), 'n', 2).text()).toContain('Many people are opening Intag')
  expect(await busyPage(asked('en-GB', 'sv'), 'n', 2).text(), 'the language that was chosen').toContain('Många')
})
