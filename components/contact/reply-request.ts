import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { createShownState, useShown } from '@/components/ui/shown-state'
import { useUrlState } from '@/components/app/url-state'
import { beginOpening } from '@/components/app/opening'
import { toast } from '@/components/ui/toast'
import type { LeadRef } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { leadKey } from '@/lib/leads/lead-key'

/** `reply`: by the channel that the person behind the lead asked for. */
type Writing = 'reply' | 'mail' | 'call' | 'note'

/** Until what is asked for has the focus keys do nothing; `release` ends that. */
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

/** Whether something was asked for that is written about this lead. */
export function useIsWritingRequested(lead: LeadRef): boolean {
  return useShown(pending, (current) => current !== null && leadKey(current.lead) === leadKey(lead))
}

/**
 * Calls `start` when something is to be written about this lead, now or before. It returns whether that is possible here,
 * and undefined where another part of the lead is written in.
 */
export function useWritingRequest(lead: LeadRef, start: (writing: Writing) => boolean | undefined): void {
  const latest = useRef(start)
  useLayoutEffect(() => {
    latest.current = start
  })
  const key = leadKey(lead)
  useEffect(() => {
    const tryToStart = () => {
      const current = pending.read()
      if (current === null || current.isStarted || leadKey(current.lead) !== key) return
      const isPossible = latest.current(current.writing)
      if (isPossible === undefined) return
      current.isStarted = true
      if (!isPossible) cancelReply()
    }
    tryToStart()
    return pending.subscribe(tryToStart)
  }, [key])
}

export function useCancelReplyElsewhere(): void {
  const pathname = usePathname()
  const shown = useUrlState().search.get('lead')
  useEffect(() => {
    const current = pending.read()
    if (current === null) return
    // The screen's state and the address may each lag behind the other.
    const open = new Set([shown, new URLSearchParams(location.search).get('lead')])
    const { kind, id } = current.lead
    const isInList = pathname === LISTS_BY_KIND[kind].href && open.has(id)
    if (!isInList && !open.has(leadKey(current.lead))) cancelReply()
  }, [pathname, shown])
}

export function useReplyUnavailable(): () => false {
  const t = useTranslations('lead')
  return () => {
    toast(t('noReply'), { topic: 'reply' })
    return false
  }
}
