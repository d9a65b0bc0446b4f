import 'server-only'
import { NotReadyError } from '@/server/errors'

export type Lifecycle = ReturnType<typeof createLifecycle>

/** How soon whoever was stopped may try again, seconds: another instance is there, or this one is back. */
const BACK_SECONDS = 5

/** Where this process is between its start and its end. */
export function createLifecycle() {
  let phase: 'starting' | 'up' | 'draining' = 'starting'
  const stop = new AbortController()
  return {
    phase: () => phase,
    up: (): void => {
      if (phase === 'starting') phase = 'up'
    },
    drain: (): void => {
      phase = 'draining'
    },
    /** Aborted, with NotReadyError, once what takes long is to stop at its next part: the process is about to end. */
    stopping: stop.signal,
    stopLongWork: (): void => stop.abort(new NotReadyError('The server is being restarted', BACK_SECONDS)),
  }
}
