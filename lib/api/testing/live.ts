import type { createLiveUpdates } from '../live'
import type { Stream } from '../shared-stream'

/** Creates a clock that a test moves on. */
export function createClock() {
  const timers = new Set<{ dueAt: number; run: () => void }>()
  let now = 0
  return {
    now: () => now,
    countTimers: () => timers.size,
    schedule: (delayMs: number, run: () => void) => {
      const timer = { dueAt: now + delayMs, run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    pass: (ms: number) => {
      const until = now + ms
      for (;;) {
        const [next] = [...timers].filter(({ dueAt }) => dueAt <= until).toSorted((a, b) => a.dueAt - b.dueAt)
        if (next === undefined) break
        timers.delete(next)
        now = next.dueAt
        next.run()
      }
      now = until
    },
  }
}

/** Creates a stream whose events the test sends with `say`. */
export function createStream(onClose = () => {}) {
  const listeners = new Map<string, Parameters<Stream['addEventListener']>[1]>()
  return {
    addEventListener: (type, listener) => void listeners.set(type, listener),
    close: onClose,
    say: (type: string, data: unknown = {}) => listeners.get(type)?.({ data: JSON.stringify(data) }),
  } satisfies Stream & { say: unknown }
}

type LiveOptions = Parameters<typeof createLiveUpdates>[0]

/** Writes a line for each thing that a tab does because of its stream. */
export function logLive(write: (line: string) => void): Omit<LiveOptions, 'connect' | 'schedule' | 'random'> {
  return {
    onChanged: ({ list, version }) => write(`${list} ${version}`),
    onStatus: ({ now }) => write(`status ${now}`),
    onLead: ({ what, id }) => write(`${what} of ${id}`),
    onTriage: ({ list }) => write(`${list} decided`),
    onCounts: () => write('numbers'),
    onLiveChange: (isLive) => write(isLive ? 'live' : 'polling'),
    onPoll: () => write('check'),
    onReconnect: () => write('back'),
  }
}
