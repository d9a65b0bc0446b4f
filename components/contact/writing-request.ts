import { useEffect, useEffectEvent } from 'react'
import { beginOpening } from '@/components/app/opening'
import { createExternalStore, useExternalStore } from '@/components/ui/external-store'
import type { LeadRef } from '@/lib/contract/lead'
import { leadKey } from '@/lib/leads/lead-key'

/** A `reply` goes through the channel that the person asked for. */
type WritingKind = 'reply' | 'mail' | 'note'

/** Keys do nothing until the requested field has the focus, or until `releaseKeys` is called. */
type WritingRequest = { lead: LeadRef; kind: WritingKind; isStarted: boolean; releaseKeys: () => void }

const pendingRequest = createExternalStore<WritingRequest | null>(null)

export function requestWriting(lead: LeadRef, kind: WritingKind = 'reply'): void {
  cancelWriting()
  const releaseKeys = beginOpening('text', () => cancelWriting())
  pendingRequest.set({ lead, kind, isStarted: false, releaseKeys })
}

export function cancelWriting(lead?: LeadRef): void {
  const current = pendingRequest.read()
  if (current === null || (lead !== undefined && leadKey(current.lead) !== leadKey(lead))) return
  pendingRequest.set(null)
  current.releaseKeys()
}

export function useIsWritingRequested(lead: LeadRef): boolean {
  const current = useExternalStore(pendingRequest)
  return current !== null && leadKey(current.lead) === leadKey(lead)
}

/**
 * Calls `start` when the user asks to write about this lead, or has asked before it was on screen. `start` returns true
 * once writing has begun, false if it is impossible, and undefined while that is unknown or if another part of the lead
 * handles it.
 */
export function useWritingRequest(lead: LeadRef, start: (kind: WritingKind) => boolean | undefined): void {
  const tryToStart = useEffectEvent(() => {
    const current = pendingRequest.read()
    if (current === null || current.isStarted || leadKey(current.lead) !== leadKey(lead)) return
    const isPossible = start(current.kind)
    if (isPossible === undefined) return
    current.isStarted = true
    if (!isPossible) cancelWriting()
  })
  // Each rendering is followed by a try, because `start` may not know before whether writing is possible.
  useEffect(() => tryToStart())
  useEffect(() => pendingRequest.subscribe(() => tryToStart()), [])
}
