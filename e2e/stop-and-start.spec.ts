import { cookieHeader, expect, signIn, staff, test } from './fixtures'
import { startFresh } from './own-server'

test('a server with open streams stops on a signal, and ends them', async ({ playwright }) => {
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

  const stopping = Date.now()
  await server.stop()
  expect(await server.ended).toEqual([0, null])
  expect(Date.now() - stopping, 'long before it would be killed').toBeLessThan(5_000)
  expect(await received).toMatch(/event: changed[^]*event: handover\ndata: \{"backInMs":\d+\}\n\n$/)
  await request.dispose()
})
