import { expect, onTestFinished, test, vi } from 'vitest'
import {
  ApiError,
  readFailedRequestId,
  retryDelayMs,
  send,
  SESSION_LOST,
  setReauthenticateHandler,
  shouldRetry,
  toQueryString,
} from './send'

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  vi.stubGlobal('fetch', async () => Response.json(body, { status, headers }))

test.each([
  [404, 'not-found', null],
  [400, 'refused', null],
  [500, 'broken', null],
  [503, 'not-ready', 4_000],
])('a failure %i is of the kind %s, with how long the server wants us to wait', async (status, kind, retryAfterMs) => {
  answer(status, { error: 'x' }, status === 503 ? { 'retry-after': '4' } : {})
  await expect(send('/api/x', {})).rejects.toMatchObject({ kind, status, retryAfterMs })
})

test.each([
  [new ApiError('offline', 0), [true, true, false]],
  [new ApiError('not-ready', 503, 6_000), [true, false, false]],
  [new ApiError('refused', 400), [false, false, false]],
  // Longer than a retry waits: the status tells when there is data.
  [new ApiError('not-ready', 503, 300_000), [false, false, false]],
])('a read that failed with %o is retried: %j', (error, tries) => {
  expect([0, 1, 2].map((failures) => shouldRetry(failures, error))).toEqual(tries)
})

test.each([
  [new ApiError('not-ready', 503, 6_000), [6_000, 6_000, 6_000, 6_000]],
  // While a retry waits, no event of the live stream reaches it.
  [new ApiError('not-ready', 503, 600_000), [10_000, 10_000, 10_000, 10_000]],
  [new ApiError('offline', 0), [1_000, 2_000, 4_000, 30_000]],
])('after %o it is retried in %j, and not by all in the same moment', (error, waits) => {
  expect([0, 1, 2, 9].map((failures) => retryDelayMs(failures, error, 0))).toEqual(waits)
  expect(retryDelayMs(0, error, 0.999)).toBeGreaterThan((waits[0] ?? 0) + 900)
})

test('a lost session is announced to the whole page, once for each answer', async () => {
  const events: string[] = []
  vi.stubGlobal('dispatchEvent', (event: Event) => events.push(event.type))
  answer(401, { error: 'Unauthenticated' })
  await expect(send('/api/x', {})).rejects.toMatchObject({ kind: 'unauthenticated' })
  expect(events).toEqual([SESSION_LOST])
})

test('what wants proof is sent again once the person has given it, and is refused when they do not', async () => {
  const late = () => new Response('{}', { status: 403, headers: { 'intag-reason': 'proof-by-code' } })
  const sent = vi.fn<typeof fetch>().mockResolvedValueOnce(late()).mockResolvedValueOnce(new Response('{"done":true}'))
  vi.stubGlobal('fetch', sent)
  const ask = vi.fn<(way: string) => Promise<boolean>>(async () => true)
  // It is sent before the code that asks is loaded.
  const answered = send('/api/x', { method: 'POST', body: { a: 1 } })
  await new Promise((resolve) => setImmediate(resolve))
  setReauthenticateHandler(ask)
  expect(await (await answered).json()).toEqual({ done: true })
  const request = ['/api/x', expect.objectContaining({ method: 'POST', cache: 'no-store', body: '{"a":1}' })]
  expect(sent.mock.calls).toEqual([request, request])
  expect(ask).toHaveBeenCalledWith('code')
  setReauthenticateHandler(async () => false)
  sent.mockReset().mockResolvedValue(late())
  await expect(send('/api/x', {})).rejects.toMatchObject({ kind: 'unauthorized', reason: 'proof-by-code' })
  expect(sent).toHaveBeenCalledTimes(1)
})

test('no answer is offline; an abort stays an abort, so that it is never shown as an error', async () => {
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('network')))
  await expect(send('/api/x', {})).rejects.toMatchObject({ kind: 'offline' })
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new DOMException('gone', 'AbortError')))
  await expect(send('/api/x', { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
})

test('repeats a parameter for each of its values, leaves out what is not there, whatever the order they were given in', () => {
  const filter = { school: ['norra', 'åsö & co'], q: undefined, limit: 100, fresh: true }
  expect(toQueryString(filter)).toBe('?fresh=true&limit=100&school=norra&school=%C3%A5s%C3%B6+%26+co')
  expect(toQueryString({ q: undefined })).toBe('')
})

test('what the server could not answer just now has the id of its request, and nothing else has one', async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  onTestFinished(() => void vi.useRealTimers())
  const ask = async (status: number) => {
    answer(status, {}, { 'x-request-id': `request-${status}` })
    await send('/api/x', {}).catch(() => {})
    return readFailedRequestId()
  }
  expect([await ask(200), await ask(409)]).toEqual([null, null])
  expect(await ask(500)).toBe('request-500')
  vi.advanceTimersByTime(1_000)
  expect(readFailedRequestId(), 'of something that failed before').toBeNull()
})
