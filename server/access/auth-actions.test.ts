import { describe, expect, test } from 'vitest'
import { insteadOfNextAuth } from './auth-actions'

const answer = (method: string, path: string) => {
  const url = `https://intag.test/api/auth/${path}`
  return insteadOfNextAuth(new Request(url, { method }), new URL(url).pathname.split('/').slice(3))
}

describe('of next-auth', () => {
  test.each([
    ['GET', 'csrf'],
    ['GET', 'session'],
    ['HEAD', 'session'],
    ['GET', 'providers'],
    ['GET', 'callback/oidc?code=x&state=y'],
    ['POST', 'callback/credentials'],
    ['POST', 'signin/oidc'],
    ['POST', 'signout'],
  ])('%s %s is answered', (method, path) => expect(answer(method, path)).toBeNull())

  test.each([
    ['POST', '_log'],
    ['GET', '_log'],
    ['POST', 'session'],
    ['POST', 'csrf'],
    ['POST', 'signin'],
    ['POST', 'error'],
    ['GET', 'verify-request'],
    ['GET', 'callback'],
    ['GET', 'callback/credentials'],
    ['GET', 'callback/passkey'],
    ['GET', 'csrf/more'],
    ['GET', 'signin/../_log'],
    ['GET', 'nothing'],
    ['PUT', 'session'],
  ])('%s %s is not there', async (method, path) => {
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
