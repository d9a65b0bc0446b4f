import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCallbackPath, interceptAuth } from './auth-actions'

const answer = (method: string, path: string) => {
  const url = `https://intag.test/api/auth/${path}`
  return interceptAuth(new Request(url, { method }), new URL(url).pathname.split('/').slice(3))
}

const ANSWERED =
  'GET csrf, GET session, HEAD session, GET providers, GET callback/oidc?code=x&state=y, POST callback/credentials, ' +
  'POST signin/oidc, POST signout'
const NOT_THERE =
  'POST _log, GET _log, POST session, POST csrf, POST signin, GET callback/credentials, GET csrf/more, ' +
  'GET signin/../_log, GET nothing, PUT session'

test('of next-auth only what signs in and out is answered', () => {
  const answersTo = (asked: string) =>
    asked.split(', ').map((each) => answer(...(each.split(' ') as [string, string]))?.status ?? 'by next-auth')
  expect(new Set(answersTo(ANSWERED))).toEqual(new Set(['by next-auth']))
  expect(new Set(answersTo(NOT_THERE))).toEqual(new Set([404]))
})

test.each([
  ['signin', '/signin'],
  ['signout?callbackUrl=https%3A%2F%2Fevil.test', '/signin?callbackUrl=https%3A%2F%2Fevil.test'],
  ['error?error=AccessDenied&more=1', '/signin?error=AccessDenied'],
])('instead of next-auth’s page %s there is ours', (path, location) => {
  const ours = answer('GET', path)
  expect([ours?.status, ours?.headers.get('location')]).toEqual([302, location])
})

test.each(['/questions', '/questions?q=%C3%85sa&year=2027', '/contacts/x.y'])('%s is where one goes on', (path) =>
  expect(toCallbackPath(path)).toBe(path),
)

const ELSEWHERE =
  '//evil.test /\\evil.test https://evil.test/questions javascript:alert(1) questions /\t/evil.test ' +
  '/signin?callbackUrl=/x /api/users /invite /proof /proof?error=SignOn-expired /proof/'
test.each([null, '', ...ELSEWHERE.split(' ')])('%o leads home', (wanted) => {
  expect(toCallbackPath(wanted)).toBe('/')
})

test('whatever is asked for, a browser stays on this site', () => {
  const parts = ['/', '\\', '@', ':', '.', '%2f', '\t', '\n', ' ', 'evil.test', '..', '?', '#', 'http']
  const nasty = fc.array(fc.constantFrom(...parts)).map((texts) => texts.join(''))
  fc.assert(
    fc.property(fc.oneof(nasty, fc.string(), fc.webUrl()), (wanted) => {
      expect(new URL(toCallbackPath(wanted), 'https://intag.test').origin).toBe('https://intag.test')
    }),
  )
})
