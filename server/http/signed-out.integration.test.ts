import { afterAll, expect, test, vi } from 'vitest'
import { makeViewer, type Viewer } from '@/server/access/viewer'
import { renewedSessionCookie } from '@/server/access/session-cookie'
import { createLoad } from './load'
import { routeOf } from './routes'

const env = { mode: 'connected', auth: { url: 'https://intag.test', secret: 's'.repeat(32) } }
const find = vi.fn<() => Promise<Viewer | null>>()
// What services() of this process is; a route asks for these of it.
Reflect.set(globalThis, Symbol.for('intag.services'), {
  feed: {},
  lifecycle: { isComing: () => false },
  env,
  logger: { info: () => {} },
  viewers: { find },
  sessions: { use: () => {} },
  load: createLoad(),
  now: () => Date.now() + 16 * 60_000,
  reading: { asks: () => false },
})
afterAll(() => Reflect.deleteProperty(globalThis, Symbol.for('intag.services')))

/** The cookie in a slow answer, if the session then is what `after` says. */
async function cookieOfSlowAnswer(after: Viewer | null | Error): Promise<string | null> {
  const viewer = makeViewer({ id: 'u1', name: 'Sara', email: 's@x.test', role: 'staff', schools: ['norra'] })
  find.mockReset().mockResolvedValueOnce(viewer)
  const slow = Promise.withResolvers<object>()
  const cookie = await renewedSessionCookie({ userId: 'u1', id: 's1' }, env)
  const request = new Request('http://intag.test/api/things', {
    headers: { cookie: cookie.slice(0, cookie.indexOf(';')) },
  })
  const declared = { what: 'a test', who: 'leads:read' } as const
  const GET = routeOf(declared, { label: '/api/things', method: 'GET' }, () => slow.promise)
  const answering = GET(request, { params: Promise.resolve({}) })
  await vi.waitFor(() => expect(find).toHaveBeenCalledOnce())
  if (after instanceof Error) find.mockRejectedValue(after)
  else find.mockResolvedValue(after && viewer)
  slow.resolve({})
  const answer = await answering
  expect(answer.status).toBe(200)
  return answer.headers.get('set-cookie')
}

test('an answer under way when its session ends sets the cookie no more', async () => {
  const viewer = makeViewer({ id: 'u1', name: 'Sara', email: 's@x.test', role: 'staff', schools: ['norra'] })
  expect(await cookieOfSlowAnswer(viewer)).toContain('next-auth.session-token=')
  expect(await cookieOfSlowAnswer(null)).toBeNull()
  expect(await cookieOfSlowAnswer(new Error('nobody can say')), 'and the answer comes all the same').toBeNull()
})
