import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { admin, expect, open, rows, signIn, staff, test } from './fixtures'

const ORIGIN = 'http://localhost:3106'
test.use({ baseURL: ORIGIN })
test.describe.configure({ mode: 'serial' })

let stop = async () => {}
let folder = ''

/** The demo as it starts without any setting but its size: with a past. */
async function start(): Promise<void> {
  const env = {
    ...process.env,
    PORT: '3106',
    LOG_LEVEL: 'warn',
    DEMO_TIER: 'S',
    DEMO_PAST: 'full',
    DATA_DIR: join(folder, 'data'),
  }
  const server = spawn(process.execPath, ['scripts/start.mjs'], { env, stdio: 'ignore' })
  stop = async () => {
    const exited = once(server, 'exit')
    server.kill('SIGTERM')
    await exited
  }
}

test.beforeAll(async ({ playwright }) => {
  test.setTimeout(90_000)
  folder = await mkdtemp(join(tmpdir(), 'intag-past-'))
  await start()
  const request = await playwright.request.newContext({ baseURL: ORIGIN })
  await expect(async () => expect((await request.get('/api/health')).status()).toBe(200)).toPass({ timeout: 60_000 })
  await request.dispose()
})
test.afterAll(async () => {
  await stop()
  await rm(folder, { recursive: true, force: true })
})

test('colleagues have answered most questions, and a few are late', async ({ page }) => {
  const { request } = page.context()
  await signIn(request, staff, ORIGIN)
  const total = async (query: string): Promise<number> =>
    (await (await request.get(`/api/asked-questions?limit=1&${query}`)).json()).total
  await expect(async () => expect(await total('answered=true')).toBeGreaterThan(100)).toPass({ timeout: 30_000 })
  expect(await total('late=true')).toBe(3)
  expect(await total('followUp=true')).toBe(1)
  expect(await total('waiting=true')).toBeLessThan(20)
  const { changes } = await (await request.get('/api/triage/undo')).json()
  expect(changes, 'nothing of it is for the guest to undo').toEqual([])
  await open(page, '/questions?status=handled')
  await expect(rows(page).first()).toBeVisible()
})

test('the log tells of them, and the files that left', async ({ page }) => {
  const { request } = page.context()
  await signIn(request, admin, ORIGIN)
  await open(page, '/admin/activity')
  await expect(page.locator('td').getByText('Karin Ek').first()).toBeVisible()
  const { exports } = await (await request.get('/api/exports')).json()
  expect(exports.map(({ purpose }: { purpose: string }) => purpose)).toContain('Vanliga frågor till webbsidan')
})
