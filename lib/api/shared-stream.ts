import type { ChangedEvent } from '@/lib/contract/live-event'
import { startTimeout } from '@/lib/start-timeout'

const EVENT_NAMES = ['changed', 'status', 'triage', 'lead', 'beat', 'handover', 'error'] as const
type EventName = (typeof EVENT_NAMES)[number]

export type Stream = {
  addEventListener: (type: EventName, listener: (event: { data?: unknown }) => void) => void
  close: () => void
}

/** A tab waits up to twice this long for the leader's answer before it leads itself. */
const LEADER_TIMEOUT_MS = 100

/**
 * Opens one stream for all tabs of a user, since browsers open only six connections to an HTTP/1.1 server: the tab that
 * leads passes the events on. Tabs find their leader by a channel, because Web Locks need HTTPS.
 */
export function openSharedStream({ connect, channel }: { connect: () => Stream; channel: Channel }): Stream {
  const tabId = Math.random()
  const events = new EventTarget()
  /** A tab that joins later gets these events from the leader, as it would from the server. */
  const replayEvents = new Map<string, SentEvent>()
  let leaderStream: Stream | null = null
  const emit = (type: EventName, data?: unknown) => events.dispatchEvent(new MessageEvent(type, { data }))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  const broadcast = (message: Message) => channel.postMessage({ ...message, senderId: tabId })
  const becomeLeader = () => {
    const opened = connect()
    leaderStream = opened
    broadcast({ kind: 'leading' })
    const forward = (type: EventName, data: unknown) => {
      if (leaderStream !== opened) return
      if (type === 'status') replayEvents.set('status', { type, data })
      if (type === 'changed') {
        const change: ChangedEvent = JSON.parse(String(data))
        // An earlier change of the list may have been within the user's scope although this one is not.
        replayEvents.set(change.list, { type, data: JSON.stringify({ ...change, yours: true }) })
      }
      broadcast({ kind: 'event', type, data })
      emit(type, data)
    }
    for (const type of EVENT_NAMES) opened.addEventListener(type, ({ data }) => forward(type, data))
  }
  const stopLeading = () => {
    leaderStream?.close()
    leaderStream = null
    replayEvents.clear()
  }
  const cancelWait = startTimeout(LEADER_TIMEOUT_MS * (1 + Math.random()), becomeLeader)
  channel.addEventListener('message', ({ data }) => {
    const { senderId, ...message } = data as Message & { senderId: number }
    if (message.kind === 'ask') {
      if (leaderStream === null) return
      broadcast({ kind: 'leading' })
      for (const event of replayEvents.values()) broadcast({ kind: 'event', ...event, recipientId: senderId })
      return
    }
    // Two tabs lead after one was suspended, or when both began at the same moment. The lower id goes on leading.
    if (leaderStream !== null && senderId > tabId) return broadcast({ kind: 'leading' })
    stopLeading()
    cancelWait()
    if (message.kind === 'event' && (message.recipientId ?? tabId) === tabId) emit(message.type, message.data)
  })
  broadcast({ kind: 'ask' })
  return {
    addEventListener: (type, listener) => events.addEventListener(type, (event) => listener(event as MessageEvent)),
    close: () => {
      cancelWait()
      if (leaderStream !== null) broadcast({ kind: 'event', type: 'handover', data: '{"backInMs":0}' })
      stopLeading()
      channel.close()
    },
  }
}

/** The channel reaches the user's other tabs. Closing the stream closes it. */
type Channel = Pick<BroadcastChannel, 'postMessage' | 'close'> & {
  addEventListener: (type: 'message', listener: (event: { data: unknown }) => void) => void
}
type SentEvent = { type: EventName; data?: unknown }
type Message = { kind: 'ask' } | { kind: 'leading' } | ({ kind: 'event'; recipientId?: unknown } & SentEvent)
