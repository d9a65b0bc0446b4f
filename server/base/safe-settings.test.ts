import { describe, expect, test } from 'vitest'
import { connected, problemsOf } from '@/server/testing/settings'
import { isLoopback } from './loopback'

describe('without the service’s address', () => {
  test.each([
    { LEADS_API_TOKEN: 'x' },
    { NEXTAUTH_URL: 'https://intag.skolan.test' },
    { OIDC_NAME: 'Skolan', OIDC_ISSUER: 'https://id.test', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'x' },
    { BOOTSTRAP_ADMIN_EMAIL: 'a@b.se', BOOTSTRAP_ADMIN_PASSWORD: 'long enough' },
    { SMTP_URL: 'smtp://mail.test', MAIL_FROM: 'a@skola.test' },
    { DATABASE_URL: 'postgres://db/intag', NEXTAUTH_URL: 'http://10.0.0.7:3000' },
  ])('%o is refused and no demo starts', (beside: Record<string, string>) => {
    const problem = `LEADS_API_URL is missing (needed with ${Object.keys(beside).join(', ')};`
    for (const unset of [{}, { LEADS_API_URL: '  \t' }])
      expect(problemsOf({ ...beside, ...unset })).toContainEqual(expect.stringContaining(problem))
  })

  const MISSPELT = ['LEADS_API_ULR', 'leads_api_url', 'LEADS_API_URL ', 'LEADSAPI_URL', 'LEADS_API_PERHOUR']
  test.each(MISSPELT)('%s is no setting', (name) => {
    const problem = expect.stringContaining(`${name} is not a setting`)
    expect(problemsOf({ [name]: 'https://service.test' })).toEqual([problem])
    expect(problemsOf({ ...connected, [name]: '7' })).toEqual([problem])
  })

  test('other programs’ variables are left alone', () => {
    expect(problemsOf({ PATH: '/bin', API_URL: 'x', GH_API_URL: 'x', LEADS_EXPORT_URL: 'x' })).toEqual([])
  })
})

describe('secrets and leads travel encrypted', () => {
  test.each(['LEADS_API_URL', 'NEXTAUTH_URL', 'OIDC_ISSUER'])('%s begins with https', (name) => {
    const provider = { OIDC_ISSUER: 'https://id.test', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'x' }
    const problemsWith = (url: string) => problemsOf({ ...connected, ...provider, [name]: url })
    expect(problemsWith('http://10.0.0.7')).toEqual([expect.stringContaining(`${name} must begin with https`)])
    expect(problemsWith('HTTP://localhost.evil.test')).toHaveLength(1)
    expect(problemsWith('http://localhost:4010')).toEqual([])
  })

  const ANYBODY_CAN_READ = ['', '?sslmode=prefer', '?sslmode=no-verify', '?sslmode=verify-full&sslmode=prefer']
  const ANY_CERTIFICATE = '?sslmode=require&uselibpqcompat=true'
  test.each([...ANYBODY_CAN_READ, ANY_CERTIFICATE])('the database elsewhere with "%s" must demand TLS', (query) => {
    const problem = expect.stringContaining('DATABASE_URL must demand TLS')
    expect(problemsOf({ ...connected, DATABASE_URL: `postgres://db/intag${query}` })).toEqual([problem])
    expect(problemsOf({ ...connected, DATABASE_URL: `postgres://localhost/intag${query}` })).toEqual([])
  })

  test.each(['disable', 'require', 'verify-full'])('the database elsewhere with sslmode=%s is accepted', (mode) => {
    expect(problemsOf({ ...connected, DATABASE_URL: `postgres://db/intag?sslmode=${mode}` })).toEqual([])
  })

  test('a database is on this machine where its last host or its socket is', () => {
    const problems = (DATABASE_URL: string) => problemsOf({ ...connected, DATABASE_URL }).length
    expect(problems('postgres:///intag?user=intag&host=/run/postgresql')).toBe(0)
    expect(problems('postgres://%2Frun%2Fpostgresql/intag')).toBe(0)
    expect(problems('postgres:///intag')).toBe(0)
    expect(problems('postgres://localhost/intag?host=db')).toBe(1)
  })
})

describe('secrets', () => {
  const GUESSED = ['changeme-changeme-changeme-9f2k', 'your-nextauth-secret-goes-here-77', '1234'.repeat(9)]
  test.each(GUESSED)('%s can be guessed, in a demo too', (NEXTAUTH_SECRET) => {
    const problem = [expect.stringContaining('NEXTAUTH_SECRET can be guessed')]
    expect(problemsOf({ ...connected, NEXTAUTH_SECRET })).toEqual(problem)
    expect(problemsOf({ NEXTAUTH_SECRET })).toEqual(problem)
  })

  test.each(['9f86d081884c7d659a2feaa0c55ad015', 'korrekt häst batteri häftklammer'])('%s is accepted', (secret) => {
    expect(problemsOf({ ...connected, NEXTAUTH_SECRET: secret })).toEqual([])
  })

  test('a key of few bytes is accepted on this machine only', () => {
    const DATA_KEY = Buffer.alloc(32, 'abc').toString('base64')
    expect(problemsOf({ ...connected, DATA_KEY })).toEqual([expect.stringContaining('DATA_KEY can be guessed')])
    expect(problemsOf({ ...connected, NEXTAUTH_URL: 'http://localhost', DATA_KEY })).toEqual([])
  })
})

test('a demo may be opened at this machine’s addresses, and no others are', () => {
  const ours = ['http://localhost:3000', 'http://a.localhost', 'http://127.1.2.3', 'http://0x7f.1', 'http://[::1]']
  for (const url of ours) expect([isLoopback(url), problemsOf({ NEXTAUTH_URL: url })], url).toEqual([true, []])
  const others = ['http://localhost.test', 'http://128.0.0.1', 'http://127.0.0.1.test', 'http://[::2]', 'localhost']
  expect(others.filter(isLoopback)).toEqual([])
})
