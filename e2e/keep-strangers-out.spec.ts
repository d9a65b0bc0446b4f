import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { DEMO, expect, signIn, test } from './fixtures'
import { startFresh } from './own-server'

test('a large form is refused, no picture is made, and HEAD opens no stream', async ({ request }) => {
  const form = { email: 'x'.repeat(100_000) }
  expect((await request.post('/api/auth/callback/credentials', { form })).status()).toBe(413)
  expect((await request.get('/_next/image?url=%2Ficon.svg&w=64&q=75')).status()).toBe(404)
  await signIn(request, 'admin')
  // An open stream would not end.
  expect((await request.head('/api/events')).headers()['content-type']).toContain('text/event-stream')
})

test('a request for another protocol is answered as any other', async () => {
  const headers = { connection: 'upgrade', upgrade: 'websocket' }
  const [answer] = (await once(get(`${DEMO}/api/health`, { headers }), 'response')) as [IncomingMessage]
  expect(answer.resume().statusCode).toBe(200)
})

test('behind a proxy that speaks https every answer says so, and a page runs only its own scripts', async ({
  request,
}) => {
  const server = await startFresh(3108, {
    LEADS_API_URL: 'http://localhost:4120/v1/',
    LEADS_API_TOKEN: 'all-7',
    NEXTAUTH_URL: 'https://intag.example',
    NEXTAUTH_SECRET: 'hQ2vX9mLr4TzK8bWcN1sJ6yDpF3gRe7u',
    DATA_KEY: Buffer.from(Uint8Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64'),
    BOOTSTRAP_ADMIN_EMAIL: 'admin@skola.example',
    BOOTSTRAP_ADMIN_PASSWORD: 'lingon i motvind 7',
  })
  try {
    for (const path of ['/signin', '/icon.svg', '/_next/nowhere'])
      expect((await request.get(server.origin + path)).headers(), path).toMatchObject({
        'strict-transport-security': 'max-age=31536000',
        'cross-origin-opener-policy': 'same-origin',
      })
    const { 'content-security-policy': policy } = (await request.get(`${server.origin}/signin`)).headers()
    expect(policy).toMatch(/script-src 'nonce-[^']+' 'strict-dynamic'/)
  } finally {
    await server.stop()
  }
})
