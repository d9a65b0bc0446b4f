import { expect, test, vi } from 'vitest'
import { makeViewer, type Viewer } from '@/server/access/viewer'
import { routeWorld, SARA } from '@/server/http/testing/route-world'
import { createEndpointHandler } from './routes'

const viewer = makeViewer(SARA)
const find = vi.fn<() => Promise<Viewer | null>>()
const world = routeWorld({ viewers: { find }, now: () => Date.now() + 16 * 60_000 })

/** The cookie in a slow answer, where `after` says whose the session is once it comes. */
async function cookieOfSlowAnswer(after: () => Promise<Viewer | null>): Promise<string | null> {
  find.mockReset().mockResolvedValueOnce(viewer)
  const slow = Promise.withResolvers<object>()
  const request = new Request('http://intag.test/api/things', { headers: { cookie: await world.cookie() } })
  const route = { pattern: '/api/things', method: 'GET' } as const
  const GET = createEndpointHandler({ summary: 'a test', who: 'leads:read' }, route, () => slow.promise)
  const answering = GET(request, { params: Promise.resolve({}) })
  await vi.waitFor(() => expect(find).toHaveBeenCalledOnce())
  find.mockImplementation(after)
  slow.resolve({})
  const answer = await answering
  expect(answer.status).toBe(200)
  return answer.headers.get('set-cookie')
}

test('an answer under way when its session ends sets no cookie', async () => {
  expect(await cookieOfSlowAnswer(async () => viewer)).toContain('next-auth.session-token=')
  expect(await cookieOfSlowAnswer(async () => null)).toBeNull()
  const outage = async () => Promise.reject(new Error('nobody can say'))
  expect(await cookieOfSlowAnswer(outage), 'and the answer comes all the same').toBeNull()
})
