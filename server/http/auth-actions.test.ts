import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isExposedAction, toCallbackPath } from './auth-actions'

const EXPOSED = {
  GET: ['csrf', 'session', 'providers', 'callback/oidc', 'signin', 'signin/oidc', 'error'],
  HEAD: ['session'],
  POST: ['callback/credentials', 'signin/oidc', 'signout'],
}
const HIDDEN = {
  GET: ['_log', 'callback/credentials', 'csrf/more', 'signin/../_log', 'nothing'],
  POST: ['_log', 'session', 'csrf', 'signin'],
  PUT: ['session'],
}
const exposed = (paths: Record<string, string[]>) =>
  Object.entries(paths).flatMap(([method, each]) => each.map((path) => isExposedAction(method, path.split('/'))))

test('of next-auth only what signs in and out is answered', () => {
  expect(new Set(exposed(EXPOSED))).toEqual(new Set([true]))
  expect(new Set(exposed(HIDDEN))).toEqual(new Set([false]))
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
