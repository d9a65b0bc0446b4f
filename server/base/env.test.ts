import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '@/server/testing/folder'
import { readDemoSecrets } from './safe-settings'
import { loadEnv } from './env'
import { connected, invented, problemsOf } from '@/server/testing/settings'

const folder = temporaryFolder()
const provider = { OIDC_ISSUER: 'https://id.test/realm/', OIDC_CLIENT_ID: 'intag', OIDC_CLIENT_SECRET: 'x' }
const mail = {
  SMTP_URL: 'smtp://intag%40skola.test:p%40ss@smtp.skola.test',
  MAIL_FROM: 'Antagningen Åsö <a@skola.test>',
}
const bootstrap = { BOOTSTRAP_ADMIN_EMAIL: 'a@b.se', BOOTSTRAP_ADMIN_PASSWORD: 'a long enough one' }
const bytes = (filled: number) => Buffer.alloc(32, filled).toString('base64')

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
      mail: null,
      previousDataKey: null,
      passwordSignIn: true,
    })
  })

  test('is on when the address is empty, and follows PORT', () => {
    const env = loadEnv({ LEADS_API_URL: '', PORT: '3100' }, invented)
    expect(env).toMatchObject({ mode: 'demo', port: 3100, auth: { url: 'http://localhost:3100' } })
  })

  test('makes up its secrets once and keeps them to itself', () => {
    const first = loadEnv({ DATA_DIR: join(folder, 'a') })
    expect(loadEnv({ DATA_DIR: join(folder, 'a') })).toEqual(first)
    expect(readDemoSecrets(join(folder, 'b')).authSecret).not.toBe(first.auth.secret)
    expect(first.dataKey).toHaveLength(32)
    expect(statSync(join(folder, 'a', 'demo-secrets.json')).mode & 0o777).toBe(0o600)
  })
})

describe('connected mode', () => {
  test('is on with an address, and makes up nothing', () => {
    const env = loadEnv(
      { ...connected, LEADS_API_PER_HOUR: '120', DATA_KEY: `${connected.DATA_KEY},${bytes(3)}` },
      () => {
        throw new Error('asked for demo secrets')
      },
    )
    expect(env).toMatchObject({
      mode: 'connected',
      upstream: { url: 'https://service.test/prefix/', token: 'token-1234567890' },
      limits: { perSecond: 10, perHour: 120 },
      auth: { url: 'https://intag.skolan.test', secret: connected.NEXTAUTH_SECRET },
      dataKey: new Uint8Array(Buffer.from(connected.DATA_KEY, 'base64')),
      previousDataKey: new Uint8Array(32).fill(3),
    })
  })

  test('reads whole sets', () => {
    const admin = { email: 'a@b.se', password: 'a long enough one' }
    const env = loadEnv({ ...connected, ...provider, ...bootstrap, PASSWORD_SIGN_IN: 'off' })
    expect(env).toMatchObject({ bootstrapAdmin: admin, passwordSignIn: false })
    const client = { issuer: 'https://id.test/realm', clientId: 'intag', clientSecret: 'x' }
    const otherwise = { name: 'Single sign-on', roleMap: null, schoolMap: null }
    expect(env.oidc).toEqual({ ...client, ...otherwise, trustEmail: false })
    const maps = { OIDC_ROLE_MAP: 'groups:Intag=staff', OIDC_SCHOOL_MAP: 'groups:Norra=n1,n2' }
    expect(loadEnv({ ...connected, ...provider, OIDC_TRUST_EMAIL: 'on', ...maps }).oidc).toMatchObject({
      trustEmail: true,
      roleMap: [{ claim: 'groups', value: 'Intag', grants: 'staff' }],
      schoolMap: [{ claim: 'groups', value: 'Norra', grants: ['n1', 'n2'] }],
    })
  })

  test('names everything that is missing or wrong at once, and never a value', () => {
    const needed = ['LEADS_API_TOKEN', 'NEXTAUTH_URL', 'NEXTAUTH_SECRET', 'DATA_KEY']
    const missing = needed.map((name) => `${name} is missing (needed with LEADS_API_URL)`)
    expect(problemsOf({ LEADS_API_URL: 'https://service.test' })).toEqual(missing)
    const wrong = { LEADS_API_TOKEN: '', NEXTAUTH_SECRET: 'hunter2', DATA_KEY: 'c2hvcnQ=', PORT: '70000' }
    expect(problemsOf({ ...connected, ...wrong })).toEqual([
      missing[0],
      'NEXTAUTH_SECRET must have at least 16 characters',
      `DATA_KEY ${KEYS}`,
      'PORT must be a port number',
    ])
  })
})

const ADDRESS = 'must be an http or https address without user, query or fragment'
const PEOPLE_OPEN = 'must be the http or https address people open, without a path'
const SMTP = 'must be smtp://USER:PASSWORD@HOST:587 or smtps://USER:PASSWORD@HOST:465, both encoded'
const FROM = 'must be an email address, or Name <address>'
const KEYS = 'must be 32 bytes in base64, or two such keys with a comma between'
const ONE_TENANT = 'must name one tenant of Entra ID, not common, organizations or consumers'
const ROLE_ENTRY = 'entry 1 must be claim:value=role with one role of staff, manager, admin'
const LISTENS = 'must be an IP address or a host name of this machine, like 127.0.0.1 or ::'

const MICROSOFT = 'https://login.microsoftonline.com'
const each = (name: string, message: string, ...values: string[]) => values.map((value) => [name, value, message])

test.each([
  ...each('LEADS_API_URL', ADDRESS, 'ftp://service.test', 'https://user:secret@service.test'),
  ['LEADS_API_TOKEN', 'two words', 'must be printable ASCII without spaces'],
  ['LEADS_API_PER_HOUR', '0', 'must be a positive whole number'],
  ['LEADS_API_PER_SECOND', '1.5', 'must be a positive whole number'],
  ...each('NEXTAUTH_URL', PEOPLE_OPEN, 'intag.test', 'https://skolan.test/intag'),
  ['DATABASE_URL', 'mysql://x', 'must be a postgres:// address'],
  ['DATA_KEY', `${connected.DATA_KEY},short`, KEYS],
  ['DEMO_TIER', 'm', 'must be one of S, M, L, XL, Stress, S-new, M-new, L-new, XL-new, Stress-new'],
  ['RETENTION_MONTHS', '-3', 'must be a positive whole number'],
  ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
  ['PASSWORD_SIGN_IN', 'no', 'must be on or off'],
  ['BOOTSTRAP_ADMIN_PASSWORD', 'elevenchars', 'must have 12 to 200 characters'],
  ['OIDC_ROLE_MAP', 'groups:Hemlig-Grupp=boss', ROLE_ENTRY],
  ['OIDC_SCHOOL_MAP', 'groups', 'entry 1 must be claim:value=what it gives'],
  ['OIDC_TRUST_EMAIL', 'yes', 'must be on or off'],
  ...each('OIDC_ISSUER', ONE_TENANT, `${MICROSOFT}/common/v2.0`, `${MICROSOFT}/organizations/v2.0`),
  ...each(
    'SMTP_URL',
    SMTP,
    'https://smtp.skola.test',
    'smtp://u:p%0D%0A@smtp.skola.test',
    'smtp://user@smtp.skola.test',
  ),
  ...each('MAIL_FROM', FROM, 'a@x.test, b@x.test', 'A\r\nBcc: x <a@x.test>'),
  ...each('HOST', LISTENS, 'http://127.0.0.1', '127.0.0.1:3000', '[::1]', 'a b', '-x'),
])('%s=%s is refused in one sentence, which does not say the value', (name = '', value = '', message = '') => {
  const found = problemsOf({ ...connected, ...provider, ...mail, ...bootstrap, [name]: value })
  expect(found).toEqual([`${name} ${message}`])
  expect(value.length > 5 && found.join().includes(value)).toBe(false)
})

const ROLES = { OIDC_ROLE_MAP: 'groups:Intag=staff' }

test.each([
  [{ BOOTSTRAP_ADMIN_EMAIL: 'a@b.se' }, 'BOOTSTRAP_ADMIN_PASSWORD', 'BOOTSTRAP_ADMIN_EMAIL'],
  [{ BOOTSTRAP_ADMIN_PASSWORD: 'a long enough one' }, 'BOOTSTRAP_ADMIN_EMAIL', 'BOOTSTRAP_ADMIN_PASSWORD'],
  [{ OIDC_ISSUER: 'https://id.test', OIDC_CLIENT_ID: 'x' }, 'OIDC_CLIENT_SECRET', 'OIDC_ISSUER'],
  [{ ...ROLES, OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'x' }, 'OIDC_ISSUER', 'OIDC_CLIENT_ID'],
  [{ SMTP_URL: 'smtp://mail.test' }, 'MAIL_FROM', 'SMTP_URL'],
  [{ MAIL_FROM: 'a@skola.test' }, 'SMTP_URL', 'MAIL_FROM'],
])('%o is half a setting, and none of a demo', (half, missing, because) => {
  const problem = `${missing} is missing (needed with ${because})`
  expect(problemsOf({ ...connected, ...half })).toEqual([problem])
  const isForDemo = `LEADS_API_URL is missing (needed with ${Object.keys(half).join(', ')}; for the demo unset `
  expect(problemsOf(half)).toEqual([problem, expect.stringContaining(isForDemo)])
})

test('passwords off and a role map mean nothing alone', () => {
  expect(problemsOf({ ...connected, PASSWORD_SIGN_IN: 'off' })).toEqual([
    'OIDC_ISSUER is missing (needed with PASSWORD_SIGN_IN=off: nobody could sign in)',
  ])
  expect(problemsOf({ ...connected, ...ROLES })).toContain('OIDC_ISSUER is missing (needed with OIDC_ROLE_MAP)')
})

test.each(['127.0.0.1', '::', '::1', '0.0.0.0', 'intag.internal'])('listens on %s', (host) => {
  expect(loadEnv({ HOST: host }, invented).host).toBe(host)
})

test.each([
  [
    {},
    {
      host: 'smtp.skola.test',
      port: 587,
      secure: false,
      requireTLS: true,
      ignoreTLS: false,
      auth: { user: 'intag@skola.test', pass: 'p@ss' },
      from: { name: 'Antagningen Åsö', address: 'a@skola.test' },
    },
  ],
  [
    { SMTP_URL: 'smtps://smtp.skola.test', MAIL_FROM: 'a@skola.test' },
    { port: 465, secure: true, from: { name: '', address: 'a@skola.test' } },
  ],
  [{ SMTP_URL: 'smtp://[::1]:25' }, { host: '::1', requireTLS: false, ignoreTLS: true }],
  [{ SMTP_URL: 'smtp://localhost?requireTLS=true' }, { requireTLS: true, ignoreTLS: false }],
  [{ SMTP_URL: 'smtp://relay.skola.test?requireTLS=false' }, { requireTLS: false, ignoreTLS: false }],
])('mail with %o demands TLS elsewhere than on this machine', (change, read) => {
  expect(loadEnv({ ...connected, ...mail, ...change }).mail).toMatchObject(read)
})

describe('secrets in files', () => {
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const inFiles = {
    LEADS_API_URL: 'https://service.test',
    NEXTAUTH_URL: 'https://intag.skolan.test',
    LEADS_API_TOKEN_FILE: file('token', 'token-1234567890\n'),
    NEXTAUTH_SECRET_FILE: file('secret', `${connected.NEXTAUTH_SECRET}\r\n`),
    DATA_KEY_FILE: file('key', connected.DATA_KEY),
    DATABASE_URL_FILE: file('database', 'postgres://intag:p@localhost/intag\n'),
    METRICS_TOKEN_FILE: file('metrics', 'seen\n'),
  }

  test('are read without the end of the line', () => {
    expect(loadEnv(inFiles)).toMatchObject({
      mode: 'connected',
      upstream: { url: 'https://service.test', token: 'token-1234567890' },
      auth: { secret: connected.NEXTAUTH_SECRET },
      databaseUrl: 'postgres://intag:p@localhost/intag',
      metricsToken: 'seen',
    })
  })

  test.each([
    [
      { LEADS_API_TOKEN_FILE: join(folder, 'nowhere') },
      'LEADS_API_TOKEN_FILE names a file that cannot be read (ENOENT)',
    ],
    [{ DATA_KEY_FILE: file('empty', '\n') }, 'DATA_KEY_FILE names a file that is empty'],
    [{ DATA_KEY_FILE: folder }, 'DATA_KEY_FILE names a file that cannot be read (EISDIR)'],
    [{ DATA_KEY: connected.DATA_KEY }, 'DATA_KEY and DATA_KEY_FILE are both set: one of them is enough'],
    [{ DATA_KEY_FILE: '' }, 'DATA_KEY is missing (needed with LEADS_API_URL)'],
    [{ DATA_KEY_FILE: file('short', 'c2hvcnQ=') }, `DATA_KEY ${KEYS}`],
  ])('%o is named, and neither its path nor what is in it', (more, problem) => {
    expect(problemsOf({ ...inFiles, ...more })).toEqual([problem])
  })

  test('make it production, too', () => {
    const { LEADS_API_TOKEN_FILE } = inFiles
    expect(problemsOf({ LEADS_API_TOKEN_FILE }).join()).toMatch(/LEADS_API_URL is missing/)
  })
})
