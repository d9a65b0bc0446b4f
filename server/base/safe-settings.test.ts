import { describe, expect, test } from 'vitest'
import { isLoopback } from './safe-settings'
import { connected, problemsOf } from '@/server/testing/settings'

describe('a demo beside production', () => {
  test.each([
    { LEADS_API_TOKEN: 'x' },
    { DATABASE_URL: 'postgres://db/intag' },
    { NEXTAUTH_URL: 'https://intag.skolan.test' },
    { OIDC_NAME: 'Skolan', OIDC_ISSUER: 'https://id.test', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'x' },
    { BOOTSTRAP_ADMIN_EMAIL: 'a@b.se', BOOTSTRAP_ADMIN_PASSWORD: 'long enough' },
    { SMTP_URL: 'smtp://mail.test', MAIL_FROM: 'a@skola.test' },
    { DATABASE_URL: 'postgres://db/intag', NEXTAUTH_URL: 'http://10.0.0.7:3000' },
  ])('%o is an error that names them all, also with an empty address', (beside: Record<string, string>) => {
    const names = Object.keys(beside)
    const problem = `LEADS_API_URL is missing (needed with ${names.join(', ')}; for the demo unset ${names.length > 1 ? 'them' : 'it'})`
    for (const unset of [{}, { LEADS_API_URL: '' }, { LEADS_API_URL: '  \t' }]) {
      expect(problemsOf({ ...beside, ...unset })).toContain(problem)
    }
  })

  const NONE = 'LEADS_API_ULR|leads_api_url|LEADS_API_URL |LEADSAPI_URL|LEADS_API_BASE_URL|LEADS_API_PERHOUR'
  test.each(NONE.split('|'))('%s is no setting', (name) => {
    const problem = `${name} is not a setting: docs/settings.md lists them`
    expect(problemsOf({ [name]: 'https://service.test' })).toEqual([problem])
    expect(problemsOf({ ...connected, [name]: '7' })).toEqual([problem])
  })

  test('other programs’ variables are left alone', () => {
    expect(problemsOf({ PATH: '/bin', API_URL: 'x', GH_API_URL: 'x', LEADS_EXPORT_URL: 'x' })).toEqual([])
  })
})

describe('on the way', () => {
  test.each(['LEADS_API_URL', 'NEXTAUTH_URL', 'OIDC_ISSUER'])('%s begins with https', (name) => {
    const provider = { OIDC_ISSUER: 'https://id.test', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'x' }
    const withIt = (url: string) => ({ ...connected, ...provider, [name]: url })
    expect(problemsOf(withIt('http://10.0.0.7'))).toEqual([
      `${name} must begin with https unless it is this machine (localhost)`,
    ])
    expect(problemsOf(withIt('HTTP://localhost.evil.test'))).toHaveLength(1)
    expect(problemsOf(withIt('http://localhost:4010'))).toEqual([])
  })

  test.each([
    ['postgres://db/intag', false],
    ['postgres://db/intag?sslmode=prefer', false],
    ['postgres://db/intag?sslmode=no-verify', false],
    ['postgres://db/intag?sslmode=require&uselibpqcompat=true', false],
    ['postgres://db/intag?sslmode=verify-full&sslmode=prefer', false],
    ['postgres://db/intag?sslmode=disable', true],
    ['postgres://localhost/intag?host=db', false],
    ['postgres://db/intag?sslmode=require', true],
    ['postgres://db/intag?sslmode=verify-full', true],
    ['postgres://127.0.0.1:5432/intag', true],
    ['postgres:///intag?user=intag&host=/run/postgresql', true],
    ['postgres://%2Frun%2Fpostgresql/intag', true],
    ['postgres:///intag', true],
  ])('the database %s: %s', (url, isSafe) => {
    const problem = `DATABASE_URL must demand TLS (sslmode=verify-full) unless it is this machine (or, in a network of containers alone, say sslmode=disable)`
    expect(problemsOf({ ...connected, DATABASE_URL: url })).toEqual(isSafe ? [] : [problem])
  })
})

describe('secrets', () => {
  const WEAK =
    'changeme-changeme-changeme-9f2k please-change-me-before-production-1 your-nextauth-secret-goes-here-77 ' +
    'SuperSecretKey-1234-abcd aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 123412341234123412341234123412341234'
  test.each(WEAK.split(' '))('%s is guessed, wherever it is used', (weak) => {
    const problem = ['NEXTAUTH_SECRET can be guessed: make one with openssl rand -base64 32']
    expect(problemsOf({ ...connected, NEXTAUTH_SECRET: weak })).toEqual(problem)
    expect(problemsOf({ NEXTAUTH_SECRET: weak })).toEqual(problem)
  })

  const STRONG =
    'Xb0c9dQm3e1fVz7Kp4Lh8sTnWjRy2gUa | 9f86d081884c7d659a2feaa0c55ad015 | korrekt häst batteri häftklammer | ' +
    'jd83-Kls0-pQm2-Zx7v-Rt41 | only-for-tests-0123456789-0123456789'
  test.each(STRONG.split(' | '))('%s is not', (secret) =>
    expect(problemsOf({ ...connected, NEXTAUTH_SECRET: secret })).toEqual([]),
  )

  test('a key of few bytes is accepted on this machine only', () => {
    const typed = Buffer.alloc(32, 'abc').toString('base64')
    const problem = 'DATA_KEY can be guessed: make one with openssl rand -base64 32'
    expect(problemsOf({ ...connected, DATA_KEY: typed })).toEqual([problem])
    expect(problemsOf({ ...connected, NEXTAUTH_URL: 'http://localhost', DATA_KEY: typed })).toEqual([])
  })
})

const OURS = ['http://localhost:3000', 'http://a.localhost', 'http://127.1.2.3', 'http://0x7f.1', 'http://[::1]']
test.each(OURS)('%s is this machine, where a demo may be opened', (address) => {
  expect([isLoopback(address), problemsOf({ NEXTAUTH_URL: address })]).toEqual([true, []])
})
const OTHERS = ['http://localhost.test', 'http://128.0.0.1', 'http://127.0.0.1.test', 'http://[::2]', 'localhost']
test.each(OTHERS)('%s is not', (address) => expect(isLoopback(address)).toBe(false))
