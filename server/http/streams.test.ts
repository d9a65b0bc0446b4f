import { expect, test } from 'vitest'
import { type EventSender, eventStream } from './streams'

function open(signal = new AbortController().signal) {
  let cleanUps = 0
  let sender: EventSender | undefined
  const response = eventStream(signal, (its) => {
    sender = its
    return () => (cleanUps += 1)
  })
  if (!sender) throw new Error('not opened')
  return { response, sender, cleanUps: () => cleanUps }
}

test('events are written as the standard has them, and nothing on the way may keep or delay them', async () => {
  const { response, sender } = open()
  sender.write('event: changed\ndata: {"list":"asked-questions","version":7}\n\n')
  sender.write('event: beat\ndata: {}\n\n')
  sender.close()
  expect(await response.text()).toBe(
    'retry: 3000\n\nevent: changed\ndata: {"list":"asked-questions","version":7}\n\nevent: beat\ndata: {}\n\n',
  )
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('cache-control')).toContain('no-transform')
  expect(response.headers.get('x-accel-buffering')).toBe('no')
})

test('cleans up once, whether the server, the browser or the connection ends it', async () => {
  const byServer = open()
  byServer.sender.close()
  byServer.sender.close()
  const byBrowser = open()
  await byBrowser.response.body?.cancel()
  byBrowser.sender.write('event: beat\ndata: {}\n\n')
  const connection = new AbortController()
  const byConnection = open(connection.signal)
  connection.abort()
  expect([byServer, byBrowser, byConnection].map(({ cleanUps }) => cleanUps())).toEqual([1, 1, 1])
})

test('a reader that takes nothing is let go instead of filling the memory', () => {
  const { sender, cleanUps } = open()
  for (let count = 0; count < 1_000; count += 1) sender.write(`data: ${count}\n\n`)
  expect(cleanUps()).toBe(1)
})
