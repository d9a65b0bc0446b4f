import { MINUTE_MS } from '@/lib/time/durations'

/** Half an hour is enough for 75 000 rows over the slowest line. */
export const MAX_STREAM_MS = 30 * MINUTE_MS

/** Streams the chunks and calls `onEnd` once: `broken` when the reader left, a chunk failed, or time is over. */
export function createTrackedStream(
  chunks: AsyncGenerator<Uint8Array>,
  onEnd: (state: 'finished' | 'broken') => Promise<void>,
): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const end: typeof onEnd = async (state) => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    await onEnd(state)
  }
  const abort = async () => {
    await end('broken')
    await chunks.return(undefined)
  }
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        // A timer also ends a reader that stays connected and reads no more.
        const onTimeout = () => {
          controller.error(new Error('this export took too long to read'))
          // A further error is ignored, because the reader has one already.
          void abort().catch(() => {})
        }
        timer = setTimeout(onTimeout, MAX_STREAM_MS).unref()
      },
      pull: async (controller) => {
        try {
          const { done, value } = await chunks.next()
          if (!done) return controller.enqueue(value)
        } catch (error) {
          await abort()
          throw error
        }
        await end('finished')
        controller.close()
      },
      cancel: abort,
    },
    // No chunk is made before the reader wants it.
    { highWaterMark: 0 },
  )
}
