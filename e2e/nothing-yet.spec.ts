import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { bootstrapAdmin, expect, expectAccessible, expectToFit, PHONE, signIn, test } from './fixtures'

const PORT = 3112
const ORIGIN = `http://localhost:${PORT}`
const TOKEN = 'made-anew'
const DATA = {
  schools: [{ id: 'norra', name: 'Norra skolan' }],
  askedQuestions: [],
  declarationsOfInterest: [],
}
/** A person as the server's key names them; a bookmark may well be older than the wrong token. */
const PERSON = 'YjAcp6QRFGlzkpP5gRWioQ'
/** What every screen says first, in the same words. */
const WHY = 'Tjänsten godtar inte Intags nyckel'
const NO_ACCESS = 'Tjänsten ger inte Intag tillträde'
const NEXT = /^Det som hör hit har inte kunnat hämtas än\. En administratör behöver byta nyckel\. .* Nästa försök: /

let file = ''
const running: ChildProcess[] = []

function start(script: string[], settings: Record<string, string> = {}): void {
  const env = { ...process.env, LOG_LEVEL: 'error', ...settings }
  running.push(spawn(process.execPath, script, { env, stdio: 'ignore' }))
}

/** The service takes these tokens from now on; it reads its file again when that changes. */
const takes = (...tokens: string[]) =>
  writeFile(file, JSON.stringify({ ...DATA, tokens: tokens.map((token) => ({ token, schools: 'all' })) }))

test.describe.configure({ mode: 'serial' })

/** Intag at the port, over a service of its own at the next one, which serves the file and fails by these faults. */
async function startIntag(port: number, faults: readonly string[] = []): Promise<string> {
  const origin = `http://localhost:${port}`
  const folder = await mkdtemp(join(tmpdir(), 'intag-nothing-'))
  const service = ['--port', `${port + 1}`, '--data', file, ...faults.flatMap((fault) => ['--fault', fault])]
  start(['--import', 'tsx', 'reference-service/serve.ts', ...service])
  start(['scripts/start.mjs'], {
    PORT: `${port}`,
    DATA_DIR: join(folder, 'data'),
    LEADS_API_URL: `http://localhost:${port + 1}/v1/`,
    LEADS_API_TOKEN: TOKEN,
    NEXTAUTH_URL: origin,
    NEXTAUTH_SECRET: 'only-for-tests-0123456789-0123456789',
    DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
    BOOTSTRAP_ADMIN_EMAIL: bootstrapAdmin.email,
    BOOTSTRAP_ADMIN_PASSWORD: bootstrapAdmin.password,
  })
  await expect(async () => expect((await fetch(`${origin}/api/health`)).status).toBe(200)).toPass({ timeout: 40_000 })
  return origin
}

test.beforeAll(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'intag-nothing-')), 'leads.json')
  await takes('another')
  await startIntag(PORT)
})

test.afterAll(() =>
  Promise.all(running.map((child) => (child.kill('SIGTERM'), child.exitCode === null && once(child, 'exit')))),
)

test.use({ allowedError: /503/ })

const content = (page: Page) => page.locator('#content')

test('while nothing has ever come every screen says why, in the same words, and does not go on asking', async ({
  page,
  context,
}) => {
  test.slow()
  await signIn(context.request, bootstrapAdmin, ORIGIN)
  let asked: string[] = []
  page.on('request', (request) => request.url().includes('/api/') && asked.push(new URL(request.url()).pathname))
  for (const path of ['/welcome', '/today', '/questions', '/declarations', '/interest', `/contacts/${PERSON}`]) {
    asked = []
    await page.goto(`${ORIGIN}${path}`)
    await expect(content(page).getByText(WHY, { exact: true }), path).toBeInViewport()
    await expect(content(page).getByText(NEXT), path).toBeInViewport()
    await expect(content(page).getByText(/anslutet|Snart är allt här|Hämtas nu/), path).toHaveCount(0)
    await expectAccessible(page)
    await page.waitForLoadState('load')
    // The stream, the status, and each number and list once.
    expect(asked.length, `${path}: ${asked.join(' ')}`).toBeLessThanOrEqual(12)
  }
  await page.setViewportSize(PHONE.viewport)
  for (const path of ['/welcome', '/today', '/questions', '/interest']) {
    await page.goto(`${ORIGIN}${path}`)
    await expect(content(page).getByText(WHY, { exact: true }), path).toBeInViewport()
    await expectToFit(page)
  }
})

test('a screen shows what has come, by itself, as soon as the service lets Intag in', async ({ page, context }) => {
  test.slow()
  await signIn(context.request, bootstrapAdmin, ORIGIN)
  await page.goto(`${ORIGIN}/interest`)
  await expect(content(page).getByText(WHY, { exact: true })).toBeVisible()
  await takes(TOKEN)
  await expect(content(page).getByText(WHY, { exact: true })).toBeHidden({ timeout: 100_000 })
  await expect(page.getByRole('heading', { level: 1, name: /^Intresse inför/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Alla mina skolor' })).toBeEnabled()
  await page.goto(`${ORIGIN}/welcome`)
  await expect(page.getByRole('heading', { name: 'Det här är anslutet' })).toBeVisible()
})

test('a screen shows what has come also when the schools came first', async ({ page, context }) => {
  test.slow()
  await takes(TOKEN)
  const late = ['askedQuestions', 'declarationsOfInterest'].map((list) => `delay=15000@${list}*1`)
  const origin = await startIntag(PORT + 2, late)
  await signIn(context.request, bootstrapAdmin, origin)
  await page.goto(`${origin}/interest`)
  await expect(page.getByRole('button', { name: 'Alla mina skolor' })).toBeEnabled()
  await expect(content(page).getByText(/Allt visas så snart det har kommit/)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: /^Intresse inför/ })).toBeVisible({ timeout: 40_000 })
})

test('while one list is refused, only what shows that list says so', async ({ page, context }) => {
  test.slow()
  const origin = await startIntag(PORT + 4, ['status=403@declarationsOfInterest'])
  await signIn(context.request, bootstrapAdmin, origin)
  const refused = content(page).getByText(NO_ACCESS, { exact: true })
  for (const path of ['/welcome', '/today', '/declarations', '/interest']) {
    await page.goto(`${origin}${path}`)
    await expect(refused, path).toBeVisible()
  }
  await page.goto(`${origin}/questions`)
  await expect(content(page).getByText('Inga frågor än')).toBeVisible()
  await expect(page.getByRole('region', { name: 'I dag' }).getByText(NO_ACCESS, { exact: true })).toBeVisible()
  await expect(refused).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Alla mina skolor' })).toBeEnabled()
})
