import { once } from 'node:events'
import { connect } from 'node:net'
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
