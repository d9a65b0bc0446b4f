import { after } from '@/lib/after'
import type { LeadRef } from '@/lib/contract/lead'
import { leadKey } from '@/lib/leads/lead-key'

export const TAKE_BACK_MS = 5_000
const MAX_FLUSH_MS = 4_000

type Outgoing = {
  lead: LeadRef
  /** Rejects with the reason where it was not sent. */
  send: () => Promise<void>
  onTakenBack: () => void
}

export type Sending = { kind: 'waiting'; until: number } | { kind: 'sending' } | { kind: 'failed'; error: unknown }

/**
 * Replies on their way out: each can be taken back for five seconds. Its draft is kept until the server has said that it
 * was sent, so that a page that ends meanwhile loses no text.
 */
export function createOutbox() {
  const states = new Map<string, Sending>()
  const listeners = new Set<() => void>()
  const read = (lead: LeadRef): Sending | undefined => states.get(leadKey(lead))
  const set = (lead: LeadRef, state: Sending | undefined): void => {
    if (state === undefined) states.delete(leadKey(lead))
    else states.set(leadKey(lead), state)
    for (const listener of listeners) listener()
  }
  const waiting = new Map<string, Outgoing & { begunAt: number; cancel: () => void }>()
  const leaving = new Set<Promise<unknown>>()
  const leave = ({ lead, send }: Outgoing) => {
    waiting.delete(leadKey(lead))
    set(lead, { kind: 'sending' })
    const sent: Promise<unknown> = send()
      .then(() => set(lead, undefined))
      .catch((error: unknown) => set(lead, { kind: 'failed', error }))
      .finally(() => leaving.delete(sent))
    leaving.add(sent)
  }
  const isLeaving = (lead: LeadRef) => (read(lead)?.kind ?? 'failed') !== 'failed'
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
    isLeaving,
    isBusy: (): boolean => waiting.size + leaving.size > 0,
    /** Returns until when it can be taken back; null while a reply to the same lead is on its way. */
    begin: (outgoing: Outgoing): number | null => {
      if (isLeaving(outgoing.lead)) return null
      const begunAt = Date.now()
      const until = begunAt + TAKE_BACK_MS
      const cancel = after(TAKE_BACK_MS, () => leave(outgoing))
      waiting.set(leadKey(outgoing.lead), { ...outgoing, begunAt, cancel })
      set(outgoing.lead, { kind: 'waiting', until })
      return until
    },
    takeBack,
    /** Takes back the newest that still waits, unless something else was done after it, at `othersAt` (ms). */
    takeBackLast: (othersAt: number): boolean => {
      const last = [...waiting.values()].at(-1)
      return last !== undefined && last.begunAt >= othersAt && takeBack(last.lead)
    },
    /** Sends at once what waits, and waits a few seconds for what is on its way. */
    flush: async (): Promise<void> => {
      for (const outgoing of waiting.values()) {
        outgoing.cancel()
        leave(outgoing)
      }
      await Promise.race([Promise.all(leaving), new Promise<void>((resolve) => after(MAX_FLUSH_MS, resolve))])
    },
  }
}

export const outbox = createOutbox()
