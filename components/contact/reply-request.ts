import { useEffect, useEffectEvent } from 'react'
import { createShownState, useShown } from '@/components/ui/shown-state'
import { beginOpening } from '@/components/app/opening'
import type { LeadRef } from '@/lib/contract/lead'
import { leadKey } from '@/lib/leads/lead-key'

/** `reply` means by the channel that the person behind the lead asked for. */
type Writing = 'reply' | 'mail' | 'call' | 'note'

/** Keys do nothing until the field that was requested has the focus, or until `release` is called. */
type WritingRequest = { lead: LeadRef; writing: Writing; isStarted: boolean; release: () => void }

const pending = createShownState<WritingRequest | null>(null)

export function cancelReply(lead?: LeadRef): void {
  const current = pending.read()
  if (current === null || (lead !== undefined && leadKey(current.lead) !== leadKey(lead))) return
  pending.show(null)
  current.release()
}

export function requestReply(lead: LeadRef, writing: Writing = 'reply'): void {
  cancelReply()
  pending.show({ lead, writing, isStarted: false, release: beginOpening('text', () => cancelReply()) })
}

export const requestNote = (lead: LeadRef) => requestReply(lead, 'note')

/** Tells whether the user has asked to write something about this lead. */
export function useIsWritingRequested(lead: LeadRef): boolean {
  return useShown(pending, (current) => current !== null && leadKey(current.lead) === leadKey(lead))
}

/**
 * Calls `start` when the user asks to write about this lead, also if that was before the lead was on screen. `start` returns
 * whether one can write here, and undefined where it cannot tell yet or another part of the lead is meant.
 */
export function useWritingRequest(lead: LeadRef, start: (writing: Writing) => boolean | undefined): void {
  const tryToStart = useEffectEvent(() => {
    const current = pending.read()
    if (current === null || current.isStarted || leadKey(current.lead) !== leadKey(lead)) return
    const isPossible = start(current.writing)
    if (isPossible === undefined) return
    current.isStarted = true
    if (!isPossible) cancelReply()
  })
  // It tries after each rendering, because what can be written may have become known with it.
  useEffect(() => tryToStart())
  useEffect(() => pending.subscribe(() => tryToStart()), [])
}
