import { expect, onTestFinished, test, vi } from 'vitest'
import { DATABASE_AWAY } from '@/lib/contract/headers'
import { NOT_SAVED, readFailedRequestId, send, SESSION_LOST, setReauthenticateHandler, toQueryString } from './send'

const answer = (status: number, headers: Record<string, string> = {}) =>
  vi.stubGlobal('fetch', async () => Response.json({}, { status, headers }))

test.each([
  [404, 'not-found', null],
  [400, 'refused', null],
  [500, 'broken', null],
  [503, 'not-ready', 4_000],
])('a failure %i is of the kind %s, with how long the server wants us to wait', async (status, kind, retryAfterMs) => {
  answer(status, status === 503 ? { 'retry-after': '4' } : {})
  await expect(send('/api/x', {})).rejects.toMatchObject({ kind, status, retryAfterMs })
})

test('a lost session, and a failed save by a user who did nothing since, are announced to the whole page', async () => {
  const events: string[] = []
  vi.stubGlobal('dispatchEvent', (event: Event) => events.push(event.type))
  answer(401)
  await expect(send('/api/x', {})).rejects.toMatchObject({ kind: 'unauthenticated' })
  const userActivation = { isActive: true }
  vi.stubGlobal('navigator', { userActivation })
  vi.stubGlobal('fetch', async () => {
    userActivation.isActive = false
    return Response.json({}, { status: 503, headers: { 'intag-reason': DATABASE_AWAY } })
  })
  await expect(send('/api/x', { method: 'PUT' })).rejects.toMatchObject({ kind: 'not-ready' })
  expect(events).toEqual([SESSION_LOST, NOT_SAVED])
})

test('a request that needs a proof is sent again once the user has given it, and is refused without', async () => {
  const refusal = () => new Response('{}', { status: 403, headers: { 'intag-reason': 'proof-by-code' } })
  const sent = vi.fn<typeof fetch>().mockResolvedValueOnce(refusal()).mockResolvedValueOnce(new Response('{"done":1}'))
  vi.stubGlobal('fetch', sent)
  const handler = vi.fn<(method: string) => Promise<boolean>>(async () => true)
  // It is sent before the code that asks is loaded.
  const answered = send('/api/x', { method: 'POST', body: { a: 1 } })
  await new Promise((resolve) => setImmediate(resolve))
  setReauthenticateHandler(handler)
  expect(await (await answered).json()).toEqual({ done: 1 })
  const request = ['/api/x', expect.objectContaining({ method: 'POST', cache: 'no-store', body: '{"a":1}' })]
  expect(sent.mock.calls).toEqual([request, request])
  expect(handler).toHaveBeenCalledWith('code')
  setReauthenticateHandler(async () => false)
  sent.mockReset().mockResolvedValue(refusal())
  await expect(send('/api/x', {})).rejects.toMatchObject({ kind: 'unauthorized', reason: 'proof-by-code' })
  expect(sent).toHaveBeenCalledTimes(1)
})

test('no answer is offline; an abort stays an abort, so that it is never shown as an error', async () => {
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('network')))
  await expect(send('/api/x', {})).rejects.toMatchObject({ kind: 'offline' })
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new DOMException('gone', 'AbortError')))
  await expect(send('/api/x', { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
})

test('a query string repeats a parameter for each value, is sorted, and leaves out what is undefined', () => {
  const filter = { school: ['norra', 'åsö & co'], q: undefined, limit: 100, fresh: true }
  const text = '?fresh=true&limit=100&school=norra&school=%C3%A5s%C3%B6+%26+co'
  expect([filter, { q: undefined }].map(toQueryString)).toEqual([text, ''])
})

test('only what the server failed to answer within the last second has the id of its request', async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  onTestFinished(() => void vi.useRealTimers())
  const readIdAfter = async (status: number) => {
    answer(status, { 'x-request-id': `request-${status}` })
    await send('/api/x', {}).catch(() => {})
    return readFailedRequestId()
  }
  expect([await readIdAfter(200), await readIdAfter(409), await readIdAfter(500)]).toEqual([null, null, 'request-500'])
  vi.advanceTimersByTime(1_000)
  expect(readFailedRequestId()).toBeNull()
})
