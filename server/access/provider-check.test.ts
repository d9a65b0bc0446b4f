import { beforeEach, describe, expect, test } from 'vitest'
import { SignOnError } from './oidc-failure'
import { createProviderCheck } from './provider-check'

const START = Date.UTC(2027, 0, 20, 8)
const MINUTE_MS = 60_000
const issuer = 'https://id.test/realm'
const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
}
const keys = { keys: [{ kty: 'RSA', use: 'sig' }] }
const client = { issuer, clientId: 'intag', clientSecret: 'x', name: 'Skolan' }

describe('the provider', () => {
  let now = START
  let asked: string[] = []
  let log: string[] = []
  const truth = (url: string): Response => Response.json(url.endsWith('/keys') ? keys : metadata)
  let answer = truth
  const open = () =>
    createProviderCheck({
      oidc: { ...client, trustEmail: false, roleMap: null, schoolMap: null },
      transport: async ({ url }) => {
        asked.push(url.slice(issuer.length))
        return answer(url)
      },
      now: () => now,
      logger: {
        info: (...line: unknown[]) => void log.push(String(line.at(-1))),
        warn: (line: object) => void log.push(JSON.stringify(line)),
      },
    })
  const down = () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' })) as never
  beforeEach(() => {
    now = START
    asked = []
    log = []
    answer = truth
  })

  test('is asked at the first look and every five minutes, and at each look while it fails', async () => {
    const check = open()
    expect(check.report()).toMatchObject({ checkedAt: null, problem: null })
    const looks = async (minutes: number) => {
      const before = asked.length
      for (let minute = 0; minute < minutes; minute += 1, now += MINUTE_MS) await check.look()
      return asked.slice(before)
    }
    expect(await looks(5)).toEqual(['/.well-known/openid-configuration', '/keys'])
    answer = down
    await check.look()
    expect(check.report()).toMatchObject({
      checkedAt: new Date(now).toISOString(),
      problem: { cause: 'provider-unreachable', since: new Date(now).toISOString(), detail: 'ECONNREFUSED' },
    })
    expect(await looks(3)).toHaveLength(3)
  })

  test('is reported unreachable once, and reachable again', async () => {
    const check = open()
    answer = down
    for (let tries = 0; tries < 3; tries += 1, now += MINUTE_MS) await check.metadata().catch(() => {})
    answer = truth
    expect(await check.metadata()).toMatchObject(metadata)
    expect(log).toEqual([expect.stringContaining('provider-unreachable'), expect.stringContaining('answers again')])
    expect(check.problem()).toBeNull()
  })

  test('is asked once for a sign-in however many begin at once, and while it fails at most every five seconds', async () => {
    const check = open()
    await Promise.all([check.metadata(), check.metadata(), check.metadata()])
    await check.metadata()
    expect(asked).toHaveLength(2)
    answer = down
    now += 10 * MINUTE_MS + 1
    await expect(check.metadata()).rejects.toThrow(SignOnError)
    await expect(check.metadata()).rejects.toThrow('provider-unreachable')
    expect(asked).toHaveLength(3)
    now += 5_001
    await expect(check.metadata()).rejects.toThrow('provider-unreachable')
    expect(asked).toHaveLength(4)
  })

  test.each([
    ['by a redirect', () => new Response(null, { status: 302 }), 'discovery-unreadable', 'status 302'],
    ['with a page', () => new Response('<html>'), 'discovery-unreadable', 'the answer is not JSON'],
    ['with too much', () => new Response('x'.repeat(600_000)), 'discovery-unreadable', 'an answer that is too large'],
    [
      'with keys of shared secrets',
      (url: string) => Response.json(url.endsWith('/keys') ? { keys: [{ kty: 'oct' }] } : metadata),
      'keys-unreadable',
      'no key to check signatures with',
    ],
    [
      'with plain http',
      () => Response.json({ ...metadata, token_endpoint: 'http://id.test/token' }),
      'endpoint-missing',
      'token_endpoint is not https://',
    ],
  ])('that answers %s cannot be used', async (_, answering, cause, detail) => {
    answer = answering
    const check = open()
    await expect(check.metadata()).rejects.toThrow(SignOnError)
    expect(check.report().problem).toMatchObject({ cause, detail })
  })

  test('may end its name with a slash, which is then how its tokens have it', async () => {
    answer = (url) => Response.json(url.endsWith('/keys') ? keys : { ...metadata, issuer: `${issuer}/` })
    expect((await open().metadata()).issuer).toBe(`${issuer}/`)
  })
})
