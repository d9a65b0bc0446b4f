import 'server-only'
import { url as debuggerUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'
import type { FeedList } from '@/lib/contract/lists'
import { WATCHDOG_THREAD } from './watchdog-thread'

/** An answer of the service, by its SHA-256, that is about to be read, or `isOver`: was. */
type Note = { list: FeedList; digest: string; isOver: boolean }

export type Watchdog = {
  start: () => void
  /** Whom to blame should the event loop stop turning from here on; known to the other thread at once. */
  note: (reading: Note) => void
}

type WatchdogOptions = {
  /** Where the thread writes which answer was being read. */
  folder: string
  limitMs?: number
}

const LIMIT_MS = 30_000
const TICKS = 30
/** How long the main thread has to say where it stands. */
const STACK_MS = 3_000

/**
 * A thread that ends the process when its event loop has not turned for `limitMs`, so that whoever supervises it starts it
 * anew: nothing within the loop could. Idle while somebody debugs.
 */
export function createWatchdog({ folder, limitMs = LIMIT_MS }: WatchdogOptions): Watchdog {
  const state = new Int32Array(new SharedArrayBuffer(8))
  const tickMs = limitMs / TICKS
  let thread: Worker | null = null
  const beat = () => {
    Atomics.add(state, 0, 1)
    Atomics.store(state, 1, debuggerUrl() === undefined ? 0 : 1)
  }
  return {
    start: () => {
      beat()
      setInterval(beat, tickMs).unref()
      const workerData = { state, tickMs, limitTicks: TICKS, stackMs: STACK_MS, folder }
      thread = new Worker(WATCHDOG_THREAD, { eval: true, workerData, env: {}, execArgv: [] })
      thread.unref()
      // Without it the server is as it was before there was one.
      thread.on('error', () => {})
    },
    note: (reading) => thread?.postMessage(reading, []),
  }
}
