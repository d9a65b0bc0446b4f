import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cookieHeader, expect, signIn, staff, test } from './fixtures'
import { startFresh, startOwn } from './own-server'

test('a server with open streams ends when it is told to, and so do they', async ({ playwright }) => {
  const server = await startFresh(3103)
  const request = await playwright.request.newContext()
  await signIn(request, staff, server.origin)
  const cookie = await cookieHeader(request)
  const ready = async () => {
    const answer = await fetch(`${server.origin}/api/health/ready`)
    return [answer.status, await answer.json()]
  }
  await expect.poll(ready).toMatchObject([200, { ready: true, reasons: [] }])
  const stream = await fetch(`${server.origin}/api/events`, { headers: { cookie } })
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  const received = stream.text().catch(() => 'cut')

  const told = Date.now()
  await server.stop()
  expect(await server.ended).toEqual([0, null])
  expect(Date.now() - told, 'long before it would be killed').toBeLessThan(5_000)
  expect(await received).toMatch(/event: changed[^]*event: handover\ndata: \{"backInMs":\d+\}\n\n$/)
  await request.dispose()
})

test('wrong settings are told at once, by name, before anything else is said, and nothing runs', async () => {
  const dataDir = join(await mkdtemp(join(tmpdir(), 'intag-wrong-')), 'data')
  const server = startOwn(3109, dataDir, {
    LEADS_API_URL: 'https://service.example/prefix',
    LEADS_API_PER_HOUR: 'many',
  })
  expect(await server.ended).toEqual([1, null])
  expect(server.said.out).toBe('')
  for (const name of ['LEADS_API_TOKEN', 'NEXTAUTH_URL', 'NEXTAUTH_SECRET', 'DATA_KEY', 'LEADS_API_PER_HOUR']) {
    expect(server.said.err).toContain(name)
  }
})
