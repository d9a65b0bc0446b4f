import { afterEach, expect, test, vi } from 'vitest'
import { changeMatching } from './triage'

const change = { matching: { list: 'asked-questions' }, status: 'handled' } as const

/** The server's answer, cut where the network happens to cut it. */
function answer(...chunks: string[]) {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })
  vi.stubGlobal('fetch', async () => new Response(body))
}
afterEach(() => vi.unstubAllGlobals())

test('reports how far it has come and answers what it came to, wherever the lines are cut', async () => {
  answer('{"done":1000,"tot', 'al":1204}\n{"done":1204,"total":1204}\n{"changed":1200,', '"conflicts":4,"undo":"u1"}\n')
  const seen: number[] = []
  const result = await changeMatching(change, ({ done }) => seen.push(done))
  expect(seen).toEqual([1000, 1204])
  expect(result).toEqual({ changed: 1200, conflicts: 4, undo: 'u1' })
})

test('a stream that breaks off, or tells of an error, is a failure', async () => {
  answer('{"done":1000,"total":1204}\n')
  await expect(changeMatching(change, () => {})).rejects.toThrow('broken')
  answer('{"done":1000,"total":1204}\n{"error":"Internal"}\n')
  await expect(changeMatching(change, () => {})).rejects.toThrow('broken')
})

test('a refusal is the refusal it is', async () => {
  vi.stubGlobal('fetch', async () => new Response('{"error":"Unauthorized"}', { status: 403 }))
  await expect(changeMatching(change, () => {})).rejects.toThrow('unauthorized')
})
