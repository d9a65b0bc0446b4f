import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** Reads all rows in batches by ascending id, and lets other work run in between. */
export async function* readInBatches<Row extends { id: string }>(
  batchSize: number,
  readBatch: (afterId: string, limit: number) => PromiseLike<Row[]>,
) {
  let batch: Row[] = []
  do {
    batch = await readBatch(batch.at(-1)?.id ?? '', batchSize)
    yield* batch
    await yieldToEventLoop()
  } while (batch.length === batchSize)
}
