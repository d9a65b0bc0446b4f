import { afterEach, expect, test, vi } from 'vitest'
import {
  failureId,
  ApiError,
  isTriedAgain,
  queryString,
  retryDelayMs,
  SESSION_LOST,
  whenProofIsNeeded,
  send,
} from './send'

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })),
  )

afterEach(() => vi.unstubAllGlobals())

test('every failure has a kind that a screen can put into words', async () => {
  for (const [status, kind] of [
    [403, 'unauthorized'],
    [404, 'not-found'],
    [400, 'refused'],
    [500, 'broken'],
  ] as const) {
    answer(status, { error: 'x' })
    await expect(send('/api/x', {})).rejects.toMatchObject({ kind, status })
  }
})

test('no data yet carries how long the server wants us to wait', async () => {
  answer(503, { error: 'x' }, { 'retry-after': '4' })
  await expect(send('/api/x', {})).rejects.toMatchObject({ kind: 'not-ready', retryAfterMs: 4000 })
})

test('a reading is tried again twice where that may help, and once when the server said', () => {
  const tries = (error: ApiError) => [0, 1, 2].map((failures) => isTriedAgain(failures, error))
  expect(tries(new ApiError('offline', 0))).toEqual([true, true, false])
  expect(tries(new ApiError('not-ready', 503, 6_000))).toEqual([true, false, false])
  expect(tries(new ApiError('refused', 400))).toEqual([false, false, false])
  // There will be nothing for longer than a try may wait, and whoever shows the status hears when there is.
  expect(tries(new ApiError('not-ready', 503, 300_000))).toEqual([false, false, false])
})

test('it is tried again when the server said, or each time later, and not by all in the same moment', () => {
  const asked = new ApiError('not-ready', 503, 6_000)
  expect([0, 1].map((failures) => retryDelayMs(failures, asked, 0))).toEqual([6_000, 6_000])
  // While a try waits, nothing that the live stream tells reaches it.
  const askedForLong = new ApiError('not-ready', 503, 600_000)
  expect(retryDelayMs(0, askedForLong, 0)).toBe(10_000)
  expect([0, 1, 2, 9].map((failures) => retryDelayMs(failures, new ApiError('offline', 0), 0))).toEqual([
    1_000, 2_000, 4_000, 30_000,
  ])
  expect(retryDelayMs(0, asked, 0.999)).toBeGreaterThan(6_900)
})

test('a lost session is told to the whole page, once for each answer', async () => {
  const told: string[] = []
  vi.stubGlobal('dispatchEvent', (event: Event) => told.push(event.type))
  answer(401, { error: 'Unauthenticated' })
  await expect(send('/api/x', {})).rejects.toMatchObject({ kind: 'unauthenticated' })
  expect(told).toEqual([SESSION_LOST])
})

test('what wants proof is sent again once the person has given it, and is refused when they do not', async () => {
  const late = () => new Response('{}', { status: 403, headers: { 'intag-reason': 'proof-needed' } })
  const sent = vi.fn<typeof fetch>().mockResolvedValueOnce(late()).mockResolvedValueOnce(new Response('{"done":true}'))
  vi.stubGlobal('fetch', sent)
  whenProofIsNeeded(async () => true)
  expect(await (await send('/api/x', { method: 'POST', body: { a: 1 } })).json()).toEqual({ done: true })
  expect(sent.mock.calls.map(([path, init]) => [path, init?.method, init?.body])).toEqual(
    Array.from({ length: 2 }, () => ['/api/x', 'POST', '{"a":1}']),
  )
  const refused = { kind: 'unauthorized', reason: 'proof-needed' }
  for (const ask of [async () => false, null]) {
    whenProofIsNeeded(ask)
    sent.mockReset().mockResolvedValue(late())
    await expect(send('/api/x', {})).rejects.toMatchObject(refused)
    expect(sent).toHaveBeenCalledTimes(1)
  }
})

test('no answer is offline', async () => {
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('network')))
  await expect(send('/api/x', {})).rejects.toMatchObject({ kind: 'offline' })
})

test('an abort stays an abort, so that nobody shows it as an error', async () => {
  const controller = new AbortController()
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new DOMException('gone', 'AbortError')))
  controller.abort()
  await expect(send('/api/x', { signal: controller.signal })).rejects.toMatchObject({
    name: 'AbortError',
  })
})

test('sends a change as JSON, without any cache', async () => {
  answer(200, {})
  await send('/api/triage', { method: 'PATCH', body: { status: 'handled' } })
  const [, init] = vi.mocked(fetch).mock.calls[0] ?? []
  expect(init).toMatchObject({ method: 'PATCH', cache: 'no-store', body: '{"status":"handled"}' })
})

test('repeats a parameter for each of its values, leaves out what is not there, whatever the order they were given in', () => {
  const filter = { school: ['norra', 'åsö & co'], q: undefined, limit: 100, fresh: true }
  expect(queryString(filter)).toBe('?fresh=true&limit=100&school=norra&school=%C3%A5s%C3%B6+%26+co')
  expect(queryString({ q: undefined })).toBe('')
})

test('what the server could not answer just now has the id of its request, and nothing else has one', async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  const ask = async (status: number) => {
    answer(status, {}, { 'x-request-id': `request-${status}` })
    await send('/api/x', {}).catch(() => {})
    return failureId()
  }
  try {
    expect([await ask(200), await ask(409)]).toEqual([null, null])
    expect(await ask(500)).toBe('request-500')
    vi.advanceTimersByTime(1_000)
    expect(failureId(), 'of something that failed before').toBeNull()
  } finally {
    vi.useRealTimers()
  }
})
