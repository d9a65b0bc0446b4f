import type { createLiveUpdates, LiveHandlers } from '../live'
import type { Stream } from '../shared-stream'

/** Creates a stream whose events the test sends with `say`. */
export function createStream(onClose = () => {}) {
  const listeners = new Map<string, Parameters<Stream['addEventListener']>[1]>()
  return {
    addEventListener: (type, listener) => void listeners.set(type, listener),
    close: onClose,
    say: (type: string, data: unknown = {}) => listeners.get(type)?.({ data: JSON.stringify(data) }),
  } satisfies Stream & { say: unknown }
}

type LoggedHandlers = LiveHandlers & Pick<Parameters<typeof createLiveUpdates>[0], 'onLiveChange'>

/** Writes a line for each thing that a tab does because of its stream. */
export function logLive(write: (line: string) => void): LoggedHandlers {
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
