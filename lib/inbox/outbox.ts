import { startTimeout } from '@/lib/start-timeout'
import type { LeadRef } from '@/lib/contract/lead'
import { leadKey } from '@/lib/leads/lead-key'

export const UNDO_SEND_MS = 5_000
const MAX_FLUSH_MS = 4_000

type Outgoing = {
  lead: LeadRef
  /** Rejects with the reason where it was not sent. */
  send: () => Promise<void>
  onTakenBack: () => void
}

export type OutgoingState = { kind: 'waiting'; undoUntil: number } | { kind: 'sending' } | { kind: 'failed'; error: unknown }

/**
 * Replies on their way out: each can be taken back for five seconds. Its draft is kept until the server has said that it
 * was sent, so that a page that ends meanwhile loses no text.
 */
export function createOutbox() {
  const states = new Map<string, OutgoingState>()
  const listeners = new Set<() => void>()
  const read = (lead: LeadRef): OutgoingState | undefined => states.get(leadKey(lead))
  const set = (lead: LeadRef, state: OutgoingState | undefined): void => {
    if (state === undefined) states.delete(leadKey(lead))
    else states.set(leadKey(lead), state)
    for (const listener of listeners) listener()
  }
  const waiting = new Map<string, Outgoing & { begunAt: number; cancel: () => void }>()
  const inFlight = new Set<Promise<unknown>>()
  const sendNow = ({ lead, send }: Outgoing) => {
    waiting.delete(leadKey(lead))
    set(lead, { kind: 'sending' })
    const sent: Promise<unknown> = send()
      .then(() => set(lead, undefined))
      .catch((error: unknown) => set(lead, { kind: 'failed', error }))
      .finally(() => inFlight.delete(sent))
    inFlight.add(sent)
  }
  const isPending = (lead: LeadRef) => (read(lead)?.kind ?? 'failed') !== 'failed'
  const takeBack = (lead: LeadRef): boolean => {
    const found = waiting.get(leadKey(lead))
    if (found === undefined) return false
    waiting.delete(leadKey(lead))
    found.cancel()
    set(lead, undefined)
    found.onTakenBack()
    return true
  }
  return {
    read,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    isLeaving: isPending,
    isBusy: (): boolean => waiting.size + inFlight.size > 0,
    /** Returns until when it can be taken back; null while a reply to the same lead is on its way. */
    enqueue: (outgoing: Outgoing): number | null => {
      if (isPending(outgoing.lead)) return null
      const begunAt = Date.now()
      const until = begunAt + UNDO_SEND_MS
      const cancel = startTimeout(UNDO_SEND_MS, () => sendNow(outgoing))
      waiting.set(leadKey(outgoing.lead), { ...outgoing, begunAt, cancel })
      set(outgoing.lead, { kind: 'waiting', undoUntil: until })
      return until
    },
    takeBack,
    /** Takes back the newest that still waits, unless something else was done after it, at `othersAt` (ms). */
    takeBackLast: (otherActionAt: number): boolean => {
      const last = [...waiting.values()].at(-1)
      return last !== undefined && last.begunAt >= otherActionAt && takeBack(last.lead)
    },
    /** Sends at once what waits, and waits a few seconds for what is on its way. */
    flush: async (): Promise<void> => {
      for (const outgoing of waiting.values()) {
        outgoing.cancel()
        sendNow(outgoing)
      }
      await Promise.race([Promise.all(inFlight), new Promise<void>((resolve) => startTimeout(MAX_FLUSH_MS, resolve))])
    },
  }
}

export const outbox = createOutbox()
