import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { cookieHeader, expect, signIn, staff, test } from './fixtures'

const ORIGIN = 'http://localhost:3103'

async function start(settings: Record<string, string>): Promise<ChildProcess> {
  const env = { ...process.env, PORT: '3103', LOG_LEVEL: 'warn', DEMO_PAST: 'none', ...settings }
  return spawn(process.execPath, ['scripts/start.mjs'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

test('a server with open streams ends when it is told to, and so do they', async ({ playwright }) => {
  const server = await start({ DATA_DIR: await mkdtemp(join(tmpdir(), 'intag-shutdown-')) })
  const exit = once(server, 'exit')
  const request = await playwright.request.newContext()
  await expect(async () => {
    expect((await request.get(`${ORIGIN}/api/health`)).status()).toBe(200)
  }).toPass({ timeout: 30_000 })
  await signIn(request, staff, ORIGIN)
  const cookie = await cookieHeader(request)
  const ready = async () => {
    const answer = await fetch(`${ORIGIN}/api/health/ready`)
    return [answer.status, await answer.json()]
  }
  await expect.poll(ready).toMatchObject([200, { ready: true, reasons: [] }])
  const stream = await fetch(`${ORIGIN}/api/events`, { headers: { cookie } })
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  const received = stream.text().catch(() => 'cut')

  server.kill('SIGTERM')
  const ended = await Promise.race([exit, setTimeout(5_000, 'still running')])
  expect(ended).toEqual([0, null])
  expect(await received).toMatch(/event: changed[^]*event: handover\ndata: \{"backInMs":\d+\}\n\n$/)
  await request.dispose()
})

test('wrong settings are told at once, by name, before anything else is said, and nothing runs', async () => {
  const server = await start({
    // Not that of the test before, which may run beside this one.
    PORT: '3109',
    LEADS_API_URL: 'https://service.example/prefix',
    LEADS_API_PER_HOUR: 'many',
  })
  let told = ''
  let said = ''
  server.stderr?.on('data', (chunk: Buffer) => (told += chunk.toString()))
  server.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = await once(server, 'close')
  expect(code).toBe(1)
  expect(said).toBe('')
  for (const name of ['LEADS_API_TOKEN', 'NEXTAUTH_URL', 'NEXTAUTH_SECRET', 'DATA_KEY', 'LEADS_API_PER_HOUR']) {
    expect(told).toContain(name)
  }
})
