import { expect, test } from 'vitest'
import { localeCookie } from '@/lib/i18n/locale'
import { awayPage } from './away-page'

const asked = (language: string, chosen?: string) =>
  new Request('https://intag.test', {
    headers: { 'accept-language': language, ...(chosen && { cookie: `${localeCookie}=${chosen}` }) },
  })

test('says in the user’s language what is away, and reloads by itself', async () => {
  const page = awayPage(asked('sv-SE,sv'), 'n0nce', 4, 'database')
  expect(page.status).toBe(503)
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'retry-after': '4',
    refresh: '4',
    'cache-control': 'no-store',
  })
  const html = await page.text()
  expect(html).toContain('<html lang="sv">')
  expect(html).toContain('Databasen går inte att nå')
  expect(html).toContain('<style nonce="n0nce">')
  expect(await awayPage(asked('en-GB'), 'n', 2, 'starting').text()).toContain('Intag is starting')
  expect(await awayPage(asked('en-GB', 'sv'), 'n', 2, 'starting').text(), 'the chosen language').toContain('startar')
})
