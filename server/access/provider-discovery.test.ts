import { expect, test } from 'vitest'
import { createProviderDiscovery } from './provider-discovery'

const issuer = 'https://id.test/realm'
const description = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  id_token_signing_alg_values_supported: ['RS256'],
}
type Answers = { description?: object } | (() => Response)

function check(answers: Answers = {}) {
  const requests: string[] = []
  const clock = { now: 0 }
  const transport = async ({ url }: { url: string }) => {
    requests.push(url.slice(issuer.length))
    return typeof answers === 'function' ? answers() : Response.json({ ...description, ...answers.description })
  }
  return { requests, clock, ...createProviderDiscovery({ issuer, transport, now: () => clock.now }) }
}

test('what the provider says is read once for all, and again after ten minutes', async () => {
  const { getMetadata, requests, clock } = check()
  await Promise.all([getMetadata(), getMetadata()])
  await getMetadata()
  expect(requests).toEqual(['/.well-known/openid-configuration'])
  clock.now += 10 * 60_000 + 1
  await getMetadata()
  expect(requests).toHaveLength(2)
})

test.each<[string, Answers, RegExp]>([
  ['redirects', () => new Response(null, { status: 302 }), /status 302/],
  ['answers with a page', () => new Response('<html>'), /not valid JSON/],
  ['calls itself otherwise', { description: { issuer: 'https://other.test' } }, /other\.test/],
  ['is for all tenants', { description: { issuer: 'https://id.test/{tenantid}' } }, /tenantid/],
  ['has no token endpoint', { description: { token_endpoint: undefined } }, /token_endpoint/],
  ['signs otherwise', { description: { id_token_signing_alg_values_supported: ['ES256'] } }, /RS256/],
])('a provider that %s cannot be used', async (_, answers, reason) => {
  expect(await check(answers).explainProblem()).toMatch(reason)
})

test('its keys may have another protocol than its name', async () => {
  const { keys } = await check({ description: { jwks_uri: 'http://127.0.0.1:1/keys' } }).getMetadata()
  await expect(keys({ alg: 'RS256' })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('it may end its name with a slash, which is then how its tokens have it', async () => {
  expect((await check({ description: { issuer: `${issuer}/` } }).getMetadata()).issuer).toBe(`${issuer}/`)
})

test.each([
  [['sub', 'auth_time'], true],
  [['sub'], false],
])('once the provider names its claims as %j, a fresh proof is possible: %s', async (claims_supported, expected) => {
  const { getMetadata, sendsAuthTime } = check({ description: { claims_supported } })
  expect(sendsAuthTime()).toBe(true)
  await getMetadata()
  expect(sendsAuthTime()).toBe(expected)
})
