import { expect, test } from 'vitest'
import { chooseLocale } from './locale'

test.each([
  ['chosen, whatever the browser asks for', 'en', 'sv-SE,sv;q=0.9', 'en'],
  ['the first of ours in the order of the browser', undefined, 'de-DE,de;q=0.9,en;q=0.8,sv;q=0.7', 'en'],
  ['Swedish when nothing is asked for', undefined, null, 'sv'],
  ['Swedish when nonsense is', 'xx', ';;q=,,', 'sv'],
  ['Swedish when no language of ours is', undefined, 'fi, es-SV;q=0.4', 'sv'],
])('the language of a visitor is %s', (_, cookie, accepted, locale) => {
  expect(chooseLocale(cookie, accepted)).toBe(locale)
})
