import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { waitForServer } from './wait-for-server'

const answer = (type = 'application/json') => new Response('', { headers: { 'content-type': type } })
const offline = new TypeError('offline')
const fetched = vi.fn<() => Promise<Response>>()
const onFailure = vi.fn<(cancel: () => void) => void>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('location', { href: 'http://intag.test/today' })
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => {
  vi.useRealTimers()
  vi.resetAllMocks()
})

test('a server that does not answer is reported once and asked until it is back', async () => {
  fetched.mockRejectedValueOnce(offline).mockResolvedValueOnce(answer('text/html')).mockResolvedValue(answer())
  const isReached = waitForServer(new QueryClient(), onFailure)
  await vi.advanceTimersByTimeAsync(7_000)
  expect(await isReached).toBe(true)
  expect([fetched.mock.calls.length, onFailure.mock.calls.length]).toEqual([3, 1])
})

test('a user who goes elsewhere is not taken away from there later', async () => {
  fetched.mockRejectedValueOnce(offline).mockResolvedValue(answer())
  const isReached = waitForServer(new QueryClient(), onFailure)
  location.href = 'http://intag.test/questions'
  await vi.advanceTimersByTimeAsync(4_000)
  expect(await isReached).toBe(false)
})

test('the waiting ends when the user cancels it, with the next one, and after two minutes', async () => {
  const client = new QueryClient()
  fetched.mockRejectedValue(offline)
  onFailure.mockImplementationOnce((cancel) => cancel())
  expect(await waitForServer(client, onFailure)).toBe(false)
  const first = waitForServer(client, onFailure)
  await vi.advanceTimersByTimeAsync(10_000)
  const second = waitForServer(client, onFailure)
  expect(await first).toBe(false)
  await vi.advanceTimersByTimeAsync(130_000)
  expect(await second).toBe(false)
})
