import 'server-only'

type Timing = {
  now: () => number
  /** Calls back once after `delayMs`; answers what cancels it. */
  schedule: (delayMs: number, run: () => void) => () => void
}

/** One moment to come at a time (ms); one that is past is now. */
export function createAlarm({ now, schedule }: Timing) {
  let cancel: (() => void) | null = null
  const clear = () => {
    cancel?.()
    cancel = null
  }
  return {
    isSet: () => cancel !== null,
    clear,
    set: (at: number, run: () => void) => {
      clear()
      cancel = schedule(Math.max(0, at - now()), () => {
        cancel = null
        run()
      })
    },
  }
}
