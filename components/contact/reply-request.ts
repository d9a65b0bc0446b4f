import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { createShownState } from '@/components/browser/shown-state'
import { useUrlState } from '@/components/browser/url-state'
import { beginOpening } from '@/components/desk/opening'
import { toast } from '@/components/ui/toast'
import type { LeadRef } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { leadKey } from '@/lib/leads/lead-key'

/** Without `channel`: as the person behind the lead asked to be contacted. */
export type ReplyRequest = { channel?: 'mail' | 'call' | undefined }

/** Until the reply has the focus keys do nothing; `release` ends that. */
type PendingReply = ReplyRequest & { lead: LeadRef; isStarted: boolean; release: () => void }

const pending = createShownState<PendingReply | null>(null)

export function cancelReply(lead?: LeadRef): void {
  const current = pending.read()
  if (current === null || (lead !== undefined && leadKey(current.lead) !== leadKey(lead))) return
  pending.show(null)
  current.release()
}

export function requestReply(lead: LeadRef, channel?: ReplyRequest['channel']): void {
  cancelReply()
  pending.show({ lead, channel, isStarted: false, release: beginOpening('text', () => cancelReply()) })
}

/** Calls `start` when a reply to this lead is requested, now or before; it returns whether a reply is possible. */
export function useReplyRequest(lead: LeadRef, start: (request: ReplyRequest) => boolean): void {
  const latest = useRef(start)
  useLayoutEffect(() => {
    latest.current = start
  })
  const key = leadKey(lead)
  useEffect(() => {
    const tryToStart = () => {
      const current = pending.read()
      if (current === null || current.isStarted || leadKey(current.lead) !== key) return
      current.isStarted = true
      if (!latest.current(current)) cancelReply()
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
