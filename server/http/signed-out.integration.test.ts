import { expect, test, vi } from 'vitest'
import { makeViewer, type Viewer } from '@/server/access/viewer'
import { routeWorld, SARA } from '@/server/http/testing/route-world'
import { createRoute } from './routes'

const find = vi.fn<() => Promise<Viewer | null>>()
const world = routeWorld({ viewers: { find }, now: () => Date.now() + 16 * 60_000 })
const viewer = makeViewer(SARA)

/** The cookie in a slow answer, if the session then is what `after` says. */
async function cookieOfSlowAnswer(after: Viewer | null | Error): Promise<string | null> {
  find.mockReset().mockResolvedValueOnce(viewer)
  const slow = Promise.withResolvers<object>()
  const request = new Request('http://intag.test/api/things', { headers: { cookie: await world.cookie() } })
  const declared = { summary: 'a test', who: 'leads:read' } as const
  const GET = createRoute(declared, { label: '/api/things', method: 'GET' }, () => slow.promise)
  const answering = GET(request, { params: Promise.resolve({}) })
  await vi.waitFor(() => expect(find).toHaveBeenCalledOnce())
  if (after instanceof Error) find.mockRejectedValue(after)
  else find.mockResolvedValue(after && viewer)
  slow.resolve({})
  const answer = await answering
  expect(answer.status).toBe(200)
  return answer.headers.get('set-cookie')
}

test('an answer under way when its session ends sets no cookie', async () => {
  expect(await cookieOfSlowAnswer(viewer)).toContain('next-auth.session-token=')
  expect(await cookieOfSlowAnswer(null)).toBeNull()
  expect(await cookieOfSlowAnswer(new Error('nobody can say')), 'and the answer comes all the same').toBeNull()
})
