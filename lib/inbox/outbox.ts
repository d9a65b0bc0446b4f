import type { LeadRef } from '@/lib/contract/lead'
import { type LeadKey, leadKey } from '@/lib/leads/lead-key'
import { startTimeout } from '@/lib/start-timeout'
import { draftIndex } from './draft-index'

export const UNDO_SEND_MS = 5_000
const MAX_FLUSH_MS = 4_000

type Outgoing = {
  lead: LeadRef
  /** Rejects with the reason if the reply was not sent. */
  send: () => Promise<void>
  onTakenBack: () => void
}

type OutgoingState = { kind: 'waiting'; undoUntil: number } | { kind: 'sending' } | { kind: 'failed'; error: unknown }

/** The outbox holds a reply five seconds, in which it can be taken back. The draft stays until the server has it. */
export function createOutbox() {
  const states = new Map<LeadKey, OutgoingState>()
  const listeners = new Set<() => void>()
  const read = (lead: LeadRef): OutgoingState | undefined => states.get(leadKey(lead))
  const set = (lead: LeadRef, state: OutgoingState | undefined): void => {
    if (state === undefined) states.delete(leadKey(lead))
    else states.set(leadKey(lead), state)
    for (const listener of listeners) listener()
  }
  const queue = new Map<LeadKey, Outgoing & { enqueuedAt: number; cancel: () => void }>()
  const pendingSends = new Set<Promise<unknown>>()
  const sendNow = ({ lead, send }: Outgoing) => {
    queue.delete(leadKey(lead))
    set(lead, { kind: 'sending' })
    const sent: Promise<unknown> = send()
      .then(() => set(lead, undefined))
      .catch((error: unknown) => set(lead, { kind: 'failed', error }))
      .finally(() => pendingSends.delete(sent))
    pendingSends.add(sent)
  }
  const isBeingSent = (lead: LeadRef) => queue.has(leadKey(lead)) || read(lead)?.kind === 'sending'
  const takeBack = (lead: LeadRef): boolean => {
    const reply = queue.get(leadKey(lead))
    if (reply === undefined) return false
    queue.delete(leadKey(lead))
    reply.cancel()
    set(lead, undefined)
    reply.onTakenBack()
    return true
  }
  return {
    read,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    isBeingSent,
    isBusy: (): boolean => queue.size + pendingSends.size > 0,
    /** Returns until when (ms) the reply can be taken back, or null while a reply to the same lead is on its way. */
    enqueue: (outgoing: Outgoing): number | null => {
      if (isBeingSent(outgoing.lead)) return null
      const enqueuedAt = Date.now()
      const undoUntil = enqueuedAt + UNDO_SEND_MS
      const cancel = startTimeout(UNDO_SEND_MS, () => sendNow(outgoing))
      queue.set(leadKey(outgoing.lead), { ...outgoing, enqueuedAt, cancel })
      set(outgoing.lead, { kind: 'waiting', undoUntil })
      return undoUntil
    },
    takeBack,
    /** Takes back the newest reply, unless the user did something else since (`otherActionAt`, ms). */
    takeBackLast: (otherActionAt: number): boolean => {
      const last = [...queue.values()].at(-1)
      return last !== undefined && last.enqueuedAt >= otherActionAt && takeBack(last.lead)
    },
    /** Sends the queue at once, and waits for all sends, but at most `MAX_FLUSH_MS`, because the user is leaving. */
    flush: async (): Promise<void> => {
      for (const outgoing of queue.values()) {
        outgoing.cancel()
        sendNow(outgoing)
      }
      const timeout = new Promise<void>((resolve) => startTimeout(MAX_FLUSH_MS, resolve))
      await Promise.race([Promise.all(pendingSends), timeout])
    },
  }
}

export const outbox = createOutbox()
draftIndex.connectOutbox(outbox)
