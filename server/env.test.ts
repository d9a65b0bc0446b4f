import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readDemoSecrets } from '@/server/access/demo-secrets'
import { loadEnv, SettingsError } from './env'

const keyBytes = Uint8Array.from({ length: 32 }, (_, index) => index * 7)
const key = Buffer.from(keyBytes).toString('base64')
const secret = 'hQ2vX9mLr4TzK8bWcN1sJ6yD'
const invented = () => ({ authSecret: 'i'.repeat(43), dataKey: key })
const connected = {
  LEADS_API_URL: 'https://service.test/prefix/',
  LEADS_API_TOKEN: 'token-1234567890',
  NEXTAUTH_URL: 'https://intag.skolan.test/',
  NEXTAUTH_SECRET: secret,
  DATA_KEY: key,
}

describe('demo mode', () => {
  test('needs no setting at all', () => {
    expect(loadEnv({}, invented)).toMatchObject({
      mode: 'demo',
      upstream: null,
      limits: { perSecond: 10, perHour: 600 },
      auth: { url: 'http://localhost:3000', secret: 'i'.repeat(43) },
      databaseUrl: null,
      dataDir: join(process.cwd(), '.data'),
      demoTier: 'M',
      retentionMonths: 24,
      logLevel: 'info',
    })
  })

  test('is on when the address is empty, and follows PORT', () => {
    const env = loadEnv({ LEADS_API_URL: '', PORT: '3100' }, invented)
    expect(env).toMatchObject({ mode: 'demo', port: 3100, auth: { url: 'http://localhost:3100' } })
  })

  test('makes up its secrets once and keeps them to itself', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'intag-env-'))
    const first = loadEnv({ DATA_DIR: join(folder, 'a') })
    expect(loadEnv({ DATA_DIR: join(folder, 'a') })).toEqual(first)
    expect(readDemoSecrets(join(folder, 'b')).authSecret).not.toBe(first.auth.secret)
    expect(first.dataKey).toHaveLength(32)
    expect((await stat(join(folder, 'a', 'demo-secrets.json'))).mode & 0o777).toBe(0o600)
    await rm(folder, { recursive: true })
  })
})

describe('connected mode', () => {
  test('is on with an address, and makes up nothing', () => {
    const env = loadEnv({ ...connected, LEADS_API_PER_HOUR: '120' }, () => {
      throw new Error('asked for demo secrets')
    })
    expect(env).toMatchObject({
      mode: 'connected',
      upstream: { url: 'https://service.test/prefix/', token: 'token-1234567890' },
      limits: { perSecond: 10, perHour: 120 },
      auth: { url: 'https://intag.skolan.test', secret },
    })
    expect(env.dataKey).toEqual(keyBytes)
  })

  test('names everything that is missing at once', () => {
    expect(problemsOf({ LEADS_API_URL: 'https://service.test' })).toEqual([
      'LEADS_API_TOKEN is missing (needed with LEADS_API_URL)',
      'NEXTAUTH_URL is missing (needed with LEADS_API_URL)',
      'NEXTAUTH_SECRET is missing (needed with LEADS_API_URL)',
      'DATA_KEY is missing (needed with LEADS_API_URL)',
    ])
  })

  test('takes the key before the one that holds, which means nothing alone', () => {
    expect(loadEnv(connected, invented).previousDataKey).toBeNull()
    const before = Buffer.alloc(32, 3).toString('base64')
    expect(loadEnv({ ...connected, DATA_KEY_PREVIOUS: before }, invented).previousDataKey).toEqual(
      new Uint8Array(32).fill(3),
    )
    expect(problemsOf({ DATA_KEY_PREVIOUS: before })).toEqual(['DATA_KEY is missing (needed with DATA_KEY_PREVIOUS)'])
    expect(problemsOf({ ...connected, DATA_KEY_PREVIOUS: 'short' })).toEqual([
      'DATA_KEY_PREVIOUS must be 32 bytes in base64',
    ])
    expect(problemsOf({ ...connected, DATA_KEY_PREVIOUS: connected.DATA_KEY })).toEqual([
      'DATA_KEY_PREVIOUS is DATA_KEY: it must be the key before it',
    ])
  })

  test('names what is missing beside what is wrong, and never a value', () => {
    const source = {
      ...connected,
      LEADS_API_TOKEN: '',
      NEXTAUTH_SECRET: 'hunter2',
      DATA_KEY: 'c2hvcnQ=',
      PORT: '70000',
    }
    expect(problemsOf(source)).toEqual([
      'LEADS_API_TOKEN is missing (needed with LEADS_API_URL)',
      'NEXTAUTH_SECRET must have at least 16 characters',
      'DATA_KEY must be 32 bytes in base64',
      'PORT must be a port number',
    ])
    expect(new SettingsError(problemsOf(source)).message).not.toMatch(/hunter2|c2hvcnQ|70000/)
  })
})

test.each([
  ['LEADS_API_URL', 'ftp://service.test', 'must be an http or https address without user, query or fragment'],
  [
    'LEADS_API_URL',
    'https://user:secret@service.test',
    'must be an http or https address without user, query or fragment',
  ],
  ['LEADS_API_TOKEN', 'two words', 'must be printable ASCII without spaces'],
  ['LEADS_API_PER_HOUR', '0', 'must be a positive whole number'],
  ['LEADS_API_PER_SECOND', '1.5', 'must be a positive whole number'],
  ['NEXTAUTH_URL', 'intag.test', 'must be the http or https address people open, without a path'],
  ['NEXTAUTH_URL', 'https://skolan.test/intag', 'must be the http or https address people open, without a path'],
  ['DATABASE_URL', 'mysql://x', 'must be a postgres:// address'],
  ['DEMO_TIER', 'm', 'must be one of S, M, L, XL, Stress'],
  ['DEMO_PAST', 'some', 'must be full or none'],
  ['RETENTION_MONTHS', '-3', 'must be a positive whole number'],
  ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
])('%s=%s is refused', (name, value, message) => {
  expect(problemsOf({ ...connected, [name]: value })).toEqual([`${name} ${message}`])
})

test.each([
  [
    { REDIS_URL: 'rediss://cache' },
    'DATABASE_URL is missing (needed with REDIS_URL: several instances cannot share PGlite)',
  ],
  [
    { BOOTSTRAP_ADMIN_EMAIL: 'a@b.se', BOOTSTRAP_ADMIN_PASSWORD: 'elevenchars' },
    'BOOTSTRAP_ADMIN_PASSWORD must have at least 12 characters',
  ],
  [{ BOOTSTRAP_ADMIN_EMAIL: 'a@b.se' }, 'BOOTSTRAP_ADMIN_PASSWORD is missing (needed with BOOTSTRAP_ADMIN_EMAIL)'],
  [
    { BOOTSTRAP_ADMIN_PASSWORD: 'a long enough one' },
    'BOOTSTRAP_ADMIN_EMAIL is missing (needed with BOOTSTRAP_ADMIN_PASSWORD)',
  ],
  [{ OIDC_ISSUER: 'https://id.test', OIDC_CLIENT_ID: 'x' }, 'OIDC_CLIENT_SECRET is missing (needed with OIDC_ISSUER)'],
])('%o is half a setting', (half, problem) => {
  expect(problemsOf({ ...connected, ...half })).toEqual([problem])
  const isForDemo = `LEADS_API_URL is missing (needed with ${Object.keys(half).join(', ')}; for the demo unset `
  expect(problemsOf(half)).toEqual([problem, expect.stringContaining(isForDemo)])
})

test('nobody is shut out: without a password only by a provider', () => {
  expect(problemsOf({ ...connected, PASSWORD_SIGN_IN: 'no' })).toEqual(['PASSWORD_SIGN_IN must be on or off'])
  expect(problemsOf({ ...connected, PASSWORD_SIGN_IN: 'off' })).toEqual([
    'OIDC_ISSUER is missing (needed with PASSWORD_SIGN_IN=off: nobody could sign in)',
  ])
  const provider = { OIDC_ISSUER: 'https://id.test', OIDC_CLIENT_ID: 'intag', OIDC_CLIENT_SECRET: 'x' }
  expect(loadEnv({ ...connected, ...provider, PASSWORD_SIGN_IN: 'off' }).passwordSignIn).toBe(false)
  expect(loadEnv(connected).passwordSignIn).toBe(true)
})

test('whole sets are read', () => {
  const env = loadEnv({
    ...connected,
    OIDC_ISSUER: 'https://id.test/realm/',
    OIDC_CLIENT_ID: 'intag',
    OIDC_CLIENT_SECRET: 'x',
    BOOTSTRAP_ADMIN_EMAIL: 'a@b.se',
    BOOTSTRAP_ADMIN_PASSWORD: 'a long enough one',
  })
  expect(env.oidc).toEqual({
    issuer: 'https://id.test/realm',
    clientId: 'intag',
    clientSecret: 'x',
    name: 'Single sign-on',
    scope: 'openid email profile',
    trustEmail: false,
    roleMap: null,
    schoolMap: null,
  })
  expect(env.bootstrapAdmin).toEqual({ email: 'a@b.se', password: 'a long enough one' })
})

function problemsOf(source: Record<string, string>): readonly string[] {
  try {
    loadEnv(source, invented)
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
  return []
}

describe('single sign-on', () => {
  const oidc = { OIDC_ISSUER: 'https://id.test', OIDC_CLIENT_ID: 'intag', OIDC_CLIENT_SECRET: 'x' }

  test('may trust addresses, and map groups to roles and schools', () => {
    const maps = { OIDC_ROLE_MAP: 'groups:Intag=staff', OIDC_SCHOOL_MAP: 'groups:Norra=n1,n2' }
    expect(loadEnv({ ...connected, ...oidc, OIDC_TRUST_EMAIL: 'on', ...maps }).oidc).toMatchObject({
      trustEmail: true,
      roleMap: [{ claim: 'groups', value: 'Intag', gives: 'staff' }],
      schoolMap: [{ claim: 'groups', value: 'Norra', gives: ['n1', 'n2'] }],
    })
  })

  test.each([
    [{ OIDC_ROLE_MAP: 'groups:Hemlig-Grupp=boss' }, /^OIDC_ROLE_MAP entry 1 must be claim:value=role/],
    [{ OIDC_SCHOOL_MAP: 'groups' }, /^OIDC_SCHOOL_MAP entry 1 must be/],
    [{ OIDC_SCOPE: 'email' }, /^OIDC_SCOPE must contain openid$/],
    [{ OIDC_TRUST_EMAIL: 'yes' }, /^OIDC_TRUST_EMAIL must be on or off$/],
    [{ OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' }, /^OIDC_ISSUER must name one tenant/],
    [{ OIDC_ISSUER: 'https://login.microsoftonline.com/organizations/v2.0' }, /^OIDC_ISSUER must name one tenant/],
  ])('does not start with %o', (wrong, problem) => {
    expect(problemsOf({ ...connected, ...oidc, ...wrong })).toEqual([expect.stringMatching(problem)])
  })

  test('maps mean nothing without a provider', () => {
    const problems = problemsOf({ ...connected, OIDC_ROLE_MAP: 'groups:Intag=staff' })
    expect(problems).toContain('OIDC_ISSUER is missing (needed with OIDC_ROLE_MAP)')
  })
})

describe('the way out and in', () => {
  test('is read in large and small letters, and told apart by scheme', () => {
    const { proxy } = loadEnv(
      {
        HTTPS_PROXY: 'http://large.test:1',
        https_proxy: 'u:p%40@small.test:3128',
        NO_PROXY: ' .a.test,b.test  c.test',
      },
      invented,
    )
    expect(proxy.https?.href).toBe('http://u:p%40@small.test:3128/')
    expect(proxy).toMatchObject({ http: null, except: ['.a.test', 'b.test', 'c.test'] })
  })

  test.each(['socks5://proxy.test:1080', 'http://proxy.test/path', 'http://u:%zz@proxy.test', '://'])(
    'a proxy that is none is named, never its value: %s',
    (value) => {
      const [problem, ...more] = problemsOf({ HTTP_PROXY: value })
      expect(problem).toMatch(/^HTTP_PROXY must be an http:\/\/ or https:\/\/ address/)
      expect(more).toEqual([])
    },
  )

  test.each(['127.0.0.1', '::', '::1', '0.0.0.0', 'intag.internal'])('listens on %s', (host) => {
    expect(loadEnv({ HOST: host }, invented).host).toBe(host)
  })

  test.each(['http://127.0.0.1', '127.0.0.1:3000', '[::1]', 'a b', '-x'])('does not listen on %s', (host) => {
    expect(problemsOf({ HOST: host })).toEqual([
      'HOST must be an IP address or a host name of this machine, like 127.0.0.1 or ::',
    ])
  })
})

describe('mail', () => {
  const mail = {
    SMTP_URL: 'smtp://intag%40skola.test:p%40ss@smtp.skola.test',
    MAIL_FROM: 'Antagningen Åsö <a@skola.test>',
  }
  const of = (change: Record<string, string>) => loadEnv({ ...connected, ...mail, ...change }, invented).mail

  test('is sent where both settings are there; TLS is demanded elsewhere than on this machine', () => {
    expect(loadEnv(connected, invented).mail).toBeNull()
    expect(of({})).toEqual({
      host: 'smtp.skola.test',
      port: 587,
      secure: false,
      requireTls: true,
      ignoreTls: false,
      auth: { user: 'intag@skola.test', pass: 'p@ss' },
      from: { name: 'Antagningen Åsö', address: 'a@skola.test' },
    })
    expect(of({ SMTP_URL: 'smtps://smtp.skola.test', MAIL_FROM: 'a@skola.test' })).toMatchObject({
      port: 465,
      secure: true,
      auth: null,
      from: { name: '', address: 'a@skola.test' },
    })
    expect(of({ SMTP_URL: 'smtp://[::1]:25' })).toMatchObject({ host: '::1', requireTls: false, ignoreTls: true })
    expect(of({ SMTP_URL: 'smtp://localhost?requireTLS=true' })).toMatchObject({ requireTls: true, ignoreTls: false })
    expect(of({ ALLOW_PLAINTEXT: 'mail' })).toMatchObject({ requireTls: false, ignoreTls: false })
  })

  test.each([
    [{ SMTP_URL: '' }, 'SMTP_URL is missing (needed with MAIL_FROM)'],
    [{ MAIL_FROM: '' }, 'MAIL_FROM is missing (needed with SMTP_URL)'],
    [{ SMTP_URL: 'https://smtp.skola.test' }, expect.stringContaining('SMTP_URL must be smtp://')],
    [{ SMTP_URL: 'smtp://u:p%0D%0A@smtp.skola.test' }, expect.stringContaining('SMTP_URL must be smtp://')],
    [{ SMTP_URL: 'smtp://user@smtp.skola.test' }, expect.stringContaining('SMTP_URL must be smtp://')],
    [{ MAIL_FROM: 'a@x.test, b@x.test' }, 'MAIL_FROM must be an email address, or Name <address>'],
    [{ MAIL_FROM: 'A\r\nBcc: x <a@x.test>' }, 'MAIL_FROM must be an email address, or Name <address>'],
  ])('%j is refused in one sentence, which has no value in it', (change, problem) => {
    const found = problemsOf({ ...connected, ...mail, ...change })
    expect(found).toEqual([problem])
    expect(found.join()).not.toContain('p%40ss')
  })

  test('is sent by no demo', () => {
    expect(problemsOf(mail)).toEqual([
      'LEADS_API_URL is missing (needed with SMTP_URL, MAIL_FROM; for the demo unset them)',
    ])
  })
})
