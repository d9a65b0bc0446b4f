import { once } from 'node:events'
import { lstat, mkdir, mkdtemp, readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { APIRequestContext } from '@playwright/test'
import { type Account, admin, DEMO, expect, newUser, open, read, test } from './fixtures'
import { startOwn } from './own-server'

/** One try from an unknown browser. Returns next-auth's error, or the status. */
async function tryFrom(nobody: APIRequestContext, account: Account, headers = {}): Promise<string> {
  const { csrfToken } = await read(nobody, '/api/auth/csrf')
  const form = { csrfToken, ...account, json: 'true' }
  const answer = await nobody.post('/api/auth/callback/credentials', { form, headers })
  const { url } = await answer.json()
  return url === undefined ? String(answer.status()) : (new URL(url).searchParams.get('error') ?? 'in')
}

const EVERYWHERE = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}
const PATHS = ['/', '/signin', '/nowhere', '/icon.svg', '/api/health', '/api/nowhere', '/_next/nowhere', '/external/x']

test('the demo has the external service at its own origin, compressed once', async ({ request }) => {
  const headers = { authorization: 'Bearer demo', 'accept-encoding': 'gzip' }
  const answer = await request.get('/external/conversions/askedQuestions', { headers })
  expect(answer.headers()['content-encoding']).toBe('gzip')
  expect((await answer.json()).askedQuestions.length).toBeGreaterThan(1_000)
})

test('next-auth answers what signing in needs, and has no page or log', async ({ request }) => {
  for (const path of ['csrf', 'session', 'providers']) {
    expect((await request.get(`/api/auth/${path}`)).headers()['content-type'], path).toContain('json')
  }
  for (const path of ['signin', 'signout', 'error?error=AccessDenied']) {
    const answer = await request.get(`/api/auth/${path}`, { maxRedirects: 0 })
    expect([answer.status(), answer.headers().location], path).toEqual([302, expect.stringMatching(/^\/signin/)])
  }
  expect((await request.get('/api/auth/verify-request')).status()).toBe(404)
  expect((await request.post('/api/auth/_log', { form: { level: 'error', code: 'forged' } })).status()).toBe(404)
  expect((await request.get('/_next/image?url=%2Ficon.svg&w=64&q=75')).status()).toBe(404)
  const large = await request.post('/api/auth/callback/credentials', { form: { email: 'x'.repeat(100_000) } })
  expect(large.status()).toBe(413)
})

/** What a server answers to a request that is sent as it stands, once it has ended the connection. */
async function rawAnswer(head: string): Promise<string> {
  const { hostname, port } = new URL(DEMO)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).setEncoding('utf8')
  let answer = ''
  socket.on('data', (text: string) => (answer += text))
  socket.write(`${head.trim().replaceAll('\n', '\r\n')}\r\n\r\n`)
  await once(socket, 'end')
  socket.destroy()
  return answer
}

test('no request for another protocol holds a connection', async () => {
  const upgrade = (path: string, to: string) => `GET ${path} HTTP/1.1
Host: ${new URL(DEMO).host}
Connection: Upgrade, HTTP2-Settings
Upgrade: ${to}
HTTP2-Settings: AAMAAABkAAQAAP__
Sec-WebSocket-Version: 13
Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==`
  const paths = ['/', '/api/events', '/nowhere', '/_next/hmr']
  const sockets = Array.from({ length: 200 }, (_, at) =>
    rawAnswer(upgrade(paths[at % paths.length] ?? '/', 'websocket')),
  )
  const answers = await Promise.all(sockets)
  expect(answers.filter((answer) => !/^HTTP\/1\.1 (?:307|401|404|503) /.test(answer))).toEqual([])

  const health = await rawAnswer(upgrade('/api/health', 'h2c'))
  expect(health, 'a GET that some proxy would rather have as h2c').toMatch(/^HTTP\/1\.1 200 .*"live":true/s)
  expect(await rawAnswer('CONNECT intag.example:443 HTTP/1.1\nHost: intag.example:443')).toBe('')
})

test('a forged address lifts no throttle, and guesses lock nobody out', async ({ request: stranger, requestAs }) => {
  const person = await newUser(await requestAs(admin))
  const own = await requestAs(person)
  const outcomes = []
  for (let tried = 0; tried < 20; tried += 1) {
    const headers = { 'x-forwarded-for': `10.0.0.${tried}`, 'x-real-ip': `10.0.1.${tried}` }
    outcomes.push(await tryFrom(stranger, { ...person, password: 'gissning' }, headers))
  }
  expect(outcomes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'CredentialsSignin'))
  expect(outcomes.slice(5).filter((outcome) => !outcome.startsWith('TooManyAttempts'))).toEqual([])
  expect(await tryFrom(stranger, person)).toMatch(/^TooManyAttempts/)
  expect(await tryFrom(own, person)).toBe('in')
})

test('while too many sign in the page retries, then says when to', async ({ page, allowError }) => {
  allowError(/503/)
  let tries = 0
  await page.route('**/api/auth/callback/credentials', (route) => {
    tries += 1
    const json = { error: 'Too many requests at once' }
    return route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json })
  })
  await open(page, '/signin')
  await page.getByRole('button', { name: /^Administratör/ }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Många loggar in just nu' })).toBeVisible()
  expect(tries).toBe(3)
})

/** What a refused start prints. */
async function refusalOf({ ended, said }: ReturnType<typeof startOwn>): Promise<string> {
  expect(await ended).toEqual([1, null])
  return said.err
}

/** Behind a proxy that speaks https. */
const REAL = {
  LEADS_API_URL: 'http://localhost:4120/v1/',
  LEADS_API_TOKEN: 'all-7',
  NEXTAUTH_URL: 'https://intag.example',
  NEXTAUTH_SECRET: 'hQ2vX9mLr4TzK8bWcN1sJ6yDpF3gRe7u',
  DATA_KEY: Buffer.from(Uint8Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64'),
  BOOTSTRAP_ADMIN_EMAIL: 'admin@skola.example',
  BOOTSTRAP_ADMIN_PASSWORD: 'lingon i motvind 7',
}

test('connected: HSTS, a private folder, and no demo on it afterwards', async ({ playwright }) => {
  const dataDir = join(await mkdtemp(join(tmpdir(), 'intag-doors-')), 'data')
  await mkdir(dataDir, { mode: 0o755 })
  const server = startOwn(3108, dataDir, REAL)
  await server.isUp()
  const request = await playwright.request.newContext({ baseURL: server.origin })
  for (const path of PATHS) {
    const answer = await request.get(path, { maxRedirects: 0 })
    expect(answer.headers(), path).toMatchObject({ ...EVERYWHERE, 'strict-transport-security': 'max-age=31536000' })
  }
  const paths = ['.', ...(await readdir(dataDir, { recursive: true }))]
  // The database may have removed a file since.
  const found = await Promise.all(paths.map((path) => lstat(join(dataDir, path)).catch(() => null)))
  const modes = found.flatMap((file) => (file === null ? [] : [file.mode & 0o077]))
  expect(modes.length).toBeGreaterThan(500)
  expect(modes.filter((mode) => mode !== 0)).toEqual([])
  await server.stop()
  await request.dispose()

  expect(await refusalOf(startOwn(3108, dataDir))).toContain('DATA_DIR holds the data of a real service')
  const forgotten = startOwn(3108, dataDir, { ...REAL, LEADS_API_URL: '' })
  expect(await refusalOf(forgotten)).toContain('LEADS_API_URL is missing (needed with LEADS_API_TOKEN,')
  expect(forgotten.said.out).not.toContain('Intag is up')
})
