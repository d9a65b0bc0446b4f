import { expect, test } from 'vitest'
import { localeCookie } from '@/lib/i18n/locale'
import { awayPage } from './away-page'

test.each([
  ['sv-SE,sv', '', 'sv', 'Intag startar'],
  ['en-GB', '', 'en', 'Intag is starting'],
  ['en-GB', `${localeCookie}=sv`, 'sv', 'Intag startar'],
])('for %s and the cookie "%s" the page is in %s', async (language, cookie, locale, title) => {
  const request = new Request('https://intag.test', { headers: { 'accept-language': language, cookie } })
  const page = awayPage(request, 'n0nce', 4, 'starting')
  expect(page.headers.get('cache-control')).toBe('no-store')
  const html = await page.text()
  expect(html).toContain(`<html lang="${locale}">`)
  expect(html).toContain(title)
  expect(html).toContain('<style nonce="n0nce">')
})
