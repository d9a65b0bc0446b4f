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

describe('the provider', () => {
  let now = START
  let asked: string[] = []
  let planned: { delayMs: number; run: () => void }[] = []
  let log: string[] = []
  let answer = (url: string): Response => Response.json(url.endsWith('/keys') ? keys : metadata)
  const open = () =>
    createProviderCheck({
      oidc: {
        issuer,
        clientId: 'intag',
        clientSecret: 'x',
        name: 'Skolan',
        scope: 'openid',
        trustEmail: false,
        roleMap: null,
        schoolMap: null,
      },
      transport: async ({ url }) => {
        asked.push(url.slice(issuer.length))
        return answer(url)
      },
      now: () => now,
      schedule: (delayMs, run) => {
        const plan = { delayMs, run }
        planned.push(plan)
        return () => void (planned = planned.filter((each) => each !== plan))
      },
      logger: {
        info: (...line: unknown[]) => void log.push(String(line.at(-1))),
        warn: (line: object) => void log.push(JSON.stringify(line)),
      },
    })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const down = () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' })) as never
  beforeEach(() => {
    now = START
    asked = []
    planned = []
    log = []
    answer = (url) => Response.json(url.endsWith('/keys') ? keys : metadata)
  })

  test('is asked at the start and every five minutes, each minute while it fails, and not after the end', async () => {
    const check = open()
    expect(check.report()).toMatchObject({ checkedAt: null, problem: null })
    check.start()
    await settled()
    expect(asked).toEqual(['/.well-known/openid-configuration', '/keys'])
    expect(planned.map(({ delayMs }) => delayMs)).toEqual([5 * MINUTE_MS])
    answer = down
    now += 5 * MINUTE_MS
    planned.shift()?.run()
    await settled()
    expect(check.report()).toMatchObject({
      checkedAt: new Date(now).toISOString(),
      problem: { cause: 'provider-unreachable', since: new Date(now).toISOString(), detail: 'ECONNREFUSED' },
    })
    expect(planned.map(({ delayMs }) => delayMs)).toEqual([MINUTE_MS])
    check.stop()
    expect(planned).toEqual([])
  })

  test('is said to be away once, and to be back', async () => {
    const check = open()
    answer = down
    for (let tries = 0; tries < 3; tries += 1, now += MINUTE_MS) await check.metadata().catch(() => {})
    answer = (url) => Response.json(url.endsWith('/keys') ? keys : metadata)
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
