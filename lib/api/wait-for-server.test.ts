import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { waitForServer } from './wait-for-server'

const answerOf = (type: string) => new Response('', { headers: { 'content-type': type } })
const fetched = vi.fn<() => Promise<Response>>()
const onCut = vi.fn<(cancel: () => void) => void>()

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
  fetched.mockRejectedValueOnce(new TypeError('offline')).mockResolvedValueOnce(answerOf('text/html'))
  fetched.mockResolvedValue(answerOf('application/json'))
  const isReached = waitForServer(new QueryClient(), onCut)
  await vi.advanceTimersByTimeAsync(7_000)
  expect(await isReached).toBe(true)
  expect([fetched.mock.calls.length, onCut.mock.calls.length]).toEqual([3, 1])
})

test('a user who goes elsewhere is not taken away from there later', async () => {
  fetched.mockRejectedValueOnce(new TypeError('offline')).mockResolvedValue(answerOf('application/json'))
  const isReached = waitForServer(new QueryClient(), onCut)
  location.href = 'http://intag.test/questions'
  await vi.advanceTimersByTimeAsync(4_000)
  expect(await isReached).toBe(false)
})

test('the waiting ends with a word of the user, with another one, and after two minutes', async () => {
  const client = new QueryClient()
  fetched.mockResolvedValueOnce(answerOf('application/json')).mockRejectedValue(new TypeError('offline'))
  expect(await waitForServer(client, onCut)).toBe(true)
  expect(onCut).not.toHaveBeenCalled()
  onCut.mockImplementationOnce((cancel) => cancel())
  expect(await waitForServer(client, onCut)).toBe(false)
  const first = waitForServer(client, onCut)
  await vi.advanceTimersByTimeAsync(10_000)
  const second = waitForServer(client, onCut)
  expect(await first).toBe(false)
  await vi.advanceTimersByTimeAsync(130_000)
  expect(await second).toBe(false)
})
