import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callbackPath, responseInsteadOfNextAuth } from './auth-actions'

const answer = (method: string, path: string) => {
  const url = `https://intag.test/api/auth/${path}`
  return responseInsteadOfNextAuth(new Request(url, { method }), new URL(url).pathname.split('/').slice(3))
}

const ANSWERED =
  'GET csrf, GET session, HEAD session, GET providers, GET callback/oidc?code=x&state=y, POST callback/credentials, ' +
  'POST signin/oidc, POST signout'
const NOT_THERE =
  'POST _log, GET _log, POST session, POST csrf, POST signin, POST error, GET verify-request, GET callback, ' +
  'GET callback/credentials, GET csrf/more, GET signin/../_log, GET nothing, PUT session'
const pairs = (text: string) => text.split(', ').map((each) => each.split(' ') as [method: string, path: string])

describe('of next-auth', () => {
  test.each(pairs(ANSWERED))('%s %s is answered', (method, path) => expect(answer(method, path)).toBeNull())

  test.each(pairs(NOT_THERE))('%s %s is not there', async (method, path) => {
    const refused = answer(method, path)
    expect([refused?.status, await refused?.json()]).toEqual([404, { error: 'Not Found' }])
  })

  test.each([
    ['signin', '/signin'],
    ['signin/oidc?callbackUrl=%2Fquestions', '/signin?callbackUrl=%2Fquestions'],
    ['signout?callbackUrl=https%3A%2F%2Fevil.test', '/signin?callbackUrl=https%3A%2F%2Fevil.test'],
    ['error?error=AccessDenied&more=1', '/signin?error=AccessDenied'],
    ['signin?csrf=true', '/signin'],
  ])('instead of its page %s there is ours', (path, location) => {
    const way = answer('GET', path)
    expect([way?.status, way?.headers.get('location')]).toEqual([302, location])
  })
})

test.each(['/questions', '/questions?q=%C3%85sa&year=2027', '/contacts/x.y'])('%s is where one goes on', (path) =>
  expect(callbackPath(path)).toBe(path),
)

const ELSEWHERE =
  '//evil.test /\\evil.test \\\\evil.test https://evil.test/questions https:evil.test javascript:alert(1) questions ' +
  '/\t/evil.test /signin?callbackUrl=/x /api/users /invite /proof /proof?error=SignOn-expired /proof/'
test.each([null, '', ...ELSEWHERE.split(' ')])('%o leads home', (wanted) => {
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
