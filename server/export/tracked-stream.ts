import 'server-only'

export type Ending = 'finished' | 'broken'

/** A reader who takes longer has gone to sleep: half an hour is for 75 000 rows over the slowest line. */
const MOST_MS = 30 * 60_000

/**
 * A stream that makes its chunks when they are asked for, and tells once how it ended: `finished` when the last one was
 * taken, `broken` when the reader left, the maker failed or nobody read on.
 */
export function trackedStream(
  chunks: AsyncGenerator<Uint8Array>,
  ended: (how: Ending) => Promise<void>,
): ReadableStream<Uint8Array> {
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = async (how: Ending) => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    await ended(how)
  }
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        timer = setTimeout(() => {
          controller.error(new Error('nobody reads this export any more'))
          void chunks.return(undefined)
          void end('broken')
        }, MOST_MS)
        timer.unref()
      },
      pull: async (controller) => {
        try {
          const { done, value } = await chunks.next()
          if (!done) return controller.enqueue(value)
          await end('finished')
          controller.close()
        } catch (error) {
          await end('broken')
          throw error
        }
      },
      cancel: async () => {
        await chunks.return(undefined)
        await end('broken')
      },
    },
    { highWaterMark: 0 },
  )
}
