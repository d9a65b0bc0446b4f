const EVENT_NAMES = ['changed', 'status', 'triage', 'lead', 'beat', 'rest', 'handover', 'error'] as const
export type EventName = (typeof EVENT_NAMES)[number]

export type Stream = {
  addEventListener: (type: EventName, listener: (event: { data?: unknown }) => void) => void
  close: () => void
}

/**
 * HTTP/1.1 gives a browser six connections to a server, and a stream holds one for good: of a user's tabs one leads, which has the
 * stream and passes on what it says. Web Locks would elect it, but only over HTTPS; a channel is there everywhere.
 */
export function openSharedStream({ connect, channel, schedule, random }: SharedStreamOptions): Stream {
  const own = random()
  const listeners: { type: EventName; listener: Parameters<Stream['addEventListener']>[1] }[] = []
  const sent = new Map<string, SentEvent>()
  let source: Stream | null = null
  const emit = (type: EventName, data?: unknown) =>
    listeners.forEach((one) => one.type === type && one.listener({ data }))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  const say = (message: Message) => channel.postMessage({ ...message, from: own })
  const lead = () => {
    const opened = connect()
    source = opened
    say({ kind: 'lead' })
    const passOn = (type: EventName, data: unknown) => {
      if (source !== opened) return
      // What a tab that joins later is told, as the server tells it at the beginning of a stream. The last change may have
      // been outside the user's scope, and one before it not.
      if (type === 'status' || type === 'changed') {
        const text = String(data)
        const key = `${type} ${/"list":"[^"]*"/.exec(text)?.[0]}`
        sent.set(key, { type, data: text.replace('"yours":false', '"yours":true') })
      }
      say({ kind: 'event', type, data })
      emit(type, data)
    }
    for (const type of EVENT_NAMES) opened.addEventListener(type, ({ data }) => passOn(type, data))
  }
  const follow = () => {
    source?.close()
    source = null
    sent.clear()
  }
  const welcome = (to: unknown) => {
    say({ kind: 'lead' })
    for (const event of sent.values()) say({ kind: 'event', ...event, to })
  }
  let cancelWait = () => {}
  channel.addEventListener('message', ({ data }) => {
    const { from, ...message } = data as Message & { from: number }
    if (message.kind === 'ask') return void (source !== null && welcome(from))
    // Two may lead after a tab was suspended, or when they began in the same moment.
    if (source !== null && from > own) return say({ kind: 'lead' })
    follow()
    cancelWait()
    if (message.kind === 'event' && (message.to ?? own) === own) emit(message.type, message.data)
  })
  say({ kind: 'ask' })
  cancelWait = schedule(ANSWER_MS * (1 + random()), lead)
  return {
    addEventListener: (type, listener) => void listeners.push({ type, listener }),
    close: () => {
      cancelWait()
      if (source !== null) say({ kind: 'event', type: 'handover', data: '{"backInMs":0}' })
      follow()
      channel.close()
    },
  }
}

type SharedStreamOptions = {
  connect: () => Stream
  /** Heard by the same user's other tabs only; closed with the stream. */
  channel: Pick<BroadcastChannel, 'postMessage' | 'close'> & {
    addEventListener: (type: 'message', listener: (event: { data: unknown }) => void) => void
  }
  schedule: (delayMs: number, run: () => void) => () => void
  random: () => number
}

type SentEvent = { type: EventName; data?: unknown }
type Message = { kind: 'ask' } | { kind: 'lead' } | ({ kind: 'event'; to?: unknown } & SentEvent)

/** So long a tab waits for the leader's answer before it leads itself. */
const ANSWER_MS = 100
