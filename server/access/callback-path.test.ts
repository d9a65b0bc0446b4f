import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callbackPath } from './callback-path'

test.each(['/questions', '/questions?q=%C3%85sa&year=2027', '/contacts/x.y'])(
  '%s is where the person goes on',
  (path) => {
    expect(callbackPath(path)).toBe(path)
  },
)

test.each([
  null,
  '',
  '//evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  'https://evil.test/questions',
  'https:evil.test',
  'javascript:alert(1)',
  'questions',
  '/\t/evil.test',
  '/signin?callbackUrl=/x',
  '/api/users',
  '/invite',
  '/proof',
  '/proof?error=SignOn-expired',
  '/proof/',
])('%o leads home', (wanted) => {
  expect(callbackPath(wanted)).toBe('/')
})

test('whatever is asked for, a browser stays on this site', () => {
  const nasty = fc.array(
    fc.constantFrom('/', '\\', '@', ':', '.', '%2f', '\t', '\n', ' ', 'evil.test', '..', '?', '#', 'http'),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        nasty.map((parts) => parts.join('')),
        fc.string(),
        fc.webUrl(),
      ),
      (wanted) => {
        expect(new URL(callbackPath(wanted), 'https://intag.test').origin).toBe('https://intag.test')
      },
    ),
  )
})
