import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '@/server/testing/folder'
import { connected, invented, problemsOf } from '@/server/testing/settings'
import { ensureDemoSecrets, loadEnv } from './env'

const folder = temporaryFolder()
const provider = { OIDC_ISSUER: 'https://id.test/realm/', OIDC_CLIENT_ID: 'intag', OIDC_CLIENT_SECRET: 'x' }
const mail = {
  SMTP_URL: 'smtp://intag%40skola.test:p%40ss@smtp.skola.test',
  MAIL_FROM: 'Antagningen Åsö <a@skola.test>',
}
const bootstrap = { BOOTSTRAP_ADMIN_EMAIL: 'a@b.se', BOOTSTRAP_ADMIN_PASSWORD: 'a long enough one' }

describe('demo mode', () => {
  test('needs no setting at all, nor an address that is not empty', () => {
    expect(loadEnv({ LEADS_API_URL: '' }, invented)).toMatchObject({
      mode: 'demo',
      limits: { perSecond: 10, perHour: 600 },
      auth: { url: 'http://localhost:3000', secret: 'i'.repeat(43) },
      databaseUrl: null,
      dataDir: join(process.cwd(), '.data'),
      demoTier: 'M',
      retentionMonths: 24,
      hasPasswordSignIn: true,
    })
  })

  test('makes up its secrets once and keeps them to itself', () => {
    const first = loadEnv({ DATA_DIR: join(folder, 'a') })
    expect(loadEnv({ DATA_DIR: join(folder, 'a') })).toEqual(first)
    expect(ensureDemoSecrets(join(folder, 'b')).authSecret).not.toBe(first.auth.secret)
    expect(first.dataKeys[0]).toHaveLength(32)
    expect(statSync(join(folder, 'a', 'demo-secrets.json')).mode & 0o777).toBe(0o600)
  })
})

describe('connected mode', () => {
  test('is on with an address, makes up nothing, and reads the first administrator and single sign-on with its maps', () => {
    const previous = Buffer.alloc(32, 3)
    const DATA_KEY = `${connected.DATA_KEY},${previous.toString('base64')}`
    const maps = { OIDC_ROLE_MAP: 'groups:Intag=staff', OIDC_SCHOOL_MAP: 'groups:Norra=n1,n2' }
    const more = { ...provider, ...bootstrap, ...maps, LEADS_API_PER_HOUR: '120', DATA_KEY, PASSWORD_SIGN_IN: 'off' }
    const env = loadEnv({ ...connected, ...more }, () => {
      throw new Error('asked for demo secrets')
    })
    expect(env).toMatchObject({
      mode: 'connected',
      upstream: { url: 'https://service.test/prefix/', token: 'token-1234567890' },
      limits: { perSecond: 10, perHour: 120 },
      auth: { url: 'https://intag.skolan.test', secret: connected.NEXTAUTH_SECRET },
      dataKeys: [new Uint8Array(Buffer.from(connected.DATA_KEY, 'base64')), new Uint8Array(previous)],
      bootstrapAdmin: { email: 'a@b.se', password: 'a long enough one' },
      hasPasswordSignIn: false,
    })
    expect(env.oidc).toEqual({
      issuer: 'https://id.test/realm',
      clientId: 'intag',
      clientSecret: 'x',
      name: 'Single sign-on',
      trustEmail: false,
      roleMap: [{ claim: 'groups', value: 'Intag', grants: 'staff' }],
      schoolMap: [{ claim: 'groups', value: 'Norra', grants: ['n1', 'n2'] }],
    })
  })

  test('names everything that is missing or wrong at once', () => {
    const wrong = { LEADS_API_TOKEN: '', NEXTAUTH_URL: '', NEXTAUTH_SECRET: 'hunter2', DATA_KEY: '', PORT: '70000' }
    const names = problemsOf({ ...connected, ...wrong }).map((problem) => problem.split(' ')[0])
    expect(names).toEqual(['LEADS_API_TOKEN', 'NEXTAUTH_URL', 'DATA_KEY', 'NEXTAUTH_SECRET', 'PORT'])
  })
})

const ENTRA = 'https://login.microsoftonline.com'
const REFUSED = {
  LEADS_API_URL: ['ftp://service.test', 'https://user:secret@service.test'],
  LEADS_API_TOKEN: ['two words'],
  LEADS_API_PER_HOUR: ['0', '1.5'],
  RETENTION_MONTHS: ['0', '999999999'],
  NEXTAUTH_URL: ['intag.test', 'https://skolan.test/intag'],
  DATABASE_URL: ['mysql://x'],
  DATA_KEY: [`${connected.DATA_KEY},short`],
  DEMO_TIER: ['m'],
  PASSWORD_SIGN_IN: ['no'],
  BOOTSTRAP_ADMIN_PASSWORD: ['elevenchars'],
  OIDC_ROLE_MAP: ['groups:Hemlig-Grupp=boss'],
  OIDC_SCHOOL_MAP: ['groups'],
  OIDC_ISSUER: [`${ENTRA}/common/v2.0`, `${ENTRA}/organizations/v2.0`],
  SMTP_URL: ['https://smtp.skola.test', 'smtp://u:p%0D%0A@x.test', 'smtp://user@x.test', 'smtp://a%:41b@x.test'],
  MAIL_FROM: ['a@x.test, b@x.test', 'A\r\nBcc: x <a@x.test>'],
  HOST: ['http://127.0.0.1', '127.0.0.1:3000', '-x'],
}
const refused = Object.entries(REFUSED).flatMap(([name, values]) => values.map((value) => ({ name, value })))

test.each(refused)('$name=$value is refused in one sentence, which does not say the value', ({ name, value }) => {
  const found = problemsOf({ ...connected, ...provider, ...mail, ...bootstrap, [name]: value })
  expect(found).toEqual([expect.stringMatching(`^${name} .*must`)])
  expect(value.length > 5 && found.join().includes(value)).toBe(false)
})

test.each([
  [{ BOOTSTRAP_ADMIN_EMAIL: 'a@b.se' }, 'BOOTSTRAP_ADMIN_PASSWORD'],
  [{ OIDC_ISSUER: 'https://id.test', OIDC_CLIENT_ID: 'x' }, 'OIDC_CLIENT_SECRET'],
  [{ SMTP_URL: 'smtp://mail.test' }, 'MAIL_FROM'],
  [{ PASSWORD_SIGN_IN: 'off' }, 'OIDC_ISSUER'],
  [{ OIDC_ROLE_MAP: 'groups:Intag=staff' }, 'OIDC_ISSUER'],
])('%o is half a setting', (half, missing) => {
  const problem = expect.stringContaining(`${missing} is missing (needed with`)
  expect(problemsOf({ ...connected, ...half })).toContainEqual(problem)
})

test.each(['127.0.0.1', '::', 'intag.internal'])('listens on %s', (host) => {
  expect(() => loadEnv({ HOST: host }, invented)).not.toThrow()
})

const account = { user: 'intag@skola.test', pass: 'p@ss' }
const from = { name: 'Antagningen Åsö', address: 'a@skola.test' }
test.each([
  [{}, { host: 'smtp.skola.test', port: 587, secure: false, requireTLS: true, ignoreTLS: false, auth: account, from }],
  [
    { SMTP_URL: 'smtps://x.test', MAIL_FROM: from.address },
    { port: 465, secure: true, from: { ...from, name: '' } },
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
  }

  test('are read without the end of the line', () => {
    const { upstream, auth } = loadEnv(inFiles)
    expect([upstream?.token, auth.secret]).toEqual(['token-1234567890', connected.NEXTAUTH_SECRET])
  })

  test.each([
    [{ DATA_KEY_FILE: join(folder, 'nowhere') }, 'DATA_KEY_FILE names a file that cannot be read (ENOENT)'],
    [{ DATA_KEY_FILE: file('empty', '\n') }, 'DATA_KEY_FILE names a file that is empty'],
    [{ DATA_KEY: connected.DATA_KEY }, 'DATA_KEY and DATA_KEY_FILE are both set'],
    [{ DATA_KEY_FILE: file('short', 'c2hvcnQ=') }, 'DATA_KEY must be'],
  ])('%o is named, and neither its path nor what is in it', (more, problem) => {
    const found = problemsOf({ ...inFiles, ...more })
    expect(found).toEqual([expect.stringContaining(problem)])
    expect(found.join()).not.toMatch(/intag-test-|c2hvcnQ/)
  })
})
