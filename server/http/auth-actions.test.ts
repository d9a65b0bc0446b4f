import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCallbackPath, interceptAuth } from './auth-actions'

const answer = (method: string, path: string) => {
  const url = `https://intag.test/api/auth/${path}`
  return interceptAuth(new Request(url, { method }), new URL(url).pathname.split('/').slice(3))
}

const EXPOSED = {
  GET: ['csrf', 'session', 'providers', 'callback/oidc?code=x&state=y'],
  HEAD: ['session'],
  POST: ['callback/credentials', 'signin/oidc', 'signout'],
}
const HIDDEN = {
  GET: ['_log', 'callback/credentials', 'csrf/more', 'signin/../_log', 'nothing'],
  POST: ['_log', 'session', 'csrf', 'signin'],
  PUT: ['session'],
}
const answersTo = (paths: Record<string, string[]>) =>
  Object.entries(paths).flatMap(([method, each]) => each.map((path) => answer(method, path)?.status ?? 'by next-auth'))

test('of next-auth only what signs in and out is answered', () => {
  expect(new Set(answersTo(EXPOSED))).toEqual(new Set(['by next-auth']))
  expect(new Set(answersTo(HIDDEN))).toEqual(new Set([404]))
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
