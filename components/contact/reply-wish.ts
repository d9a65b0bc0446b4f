import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { ignoreRun, keepLetters } from '@/components/browser/typing'
import { useUrlState } from '@/components/browser/url-state'
import { toast } from '@/components/ui/toast'
import type { LeadRef } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'

/** `mail` where the user chose to write; else the way that the person behind the lead asked for. */
export type ReplyWish = { way?: 'mail' | undefined }

/** What is typed before the answer has the focus is kept for it, and is no command. */
type Current = ReplyWish & { lead: LeadRef; isTaken: boolean; letGo: () => void }

let current: Current | null = null
const listeners = new Set<() => void>()

/** Nothing is answered after all; for `lead` only where it is the one that was wished for. */
export function forgetReply(lead?: LeadRef): void {
  if (lead !== undefined && (current === null || keyOf(current.lead) !== keyOf(lead))) return
  const letGo = current?.letGo
  current = null
  letGo?.()
}

export function wishReply(lead: LeadRef, way?: 'mail'): void {
  forgetReply()
  current = { lead, way, isTaken: false, letGo: keepLetters('reply', () => forgetReply()) }
  for (const listener of listeners) listener()
}

/** Calls `begin` when a reply to this lead is wished for, now or earlier; it answers whether there is a way. */
export function useReplyWish(lead: LeadRef, begin: (wish: ReplyWish) => boolean): void {
  const latest = useRef(begin)
  useLayoutEffect(() => {
    latest.current = begin
  })
  const key = keyOf(lead)
  useEffect(() => {
    const look = () => {
      if (current === null || current.isTaken || keyOf(current.lead) !== key) return
      current.isTaken = true
      if (latest.current(current)) return
      forgetReply()
      ignoreRun()
    }
    look()
    listeners.add(look)
    return () => void listeners.delete(look)
  }, [key])
}

/** Forgets a wish on another screen, or at another lead, than it is for. */
export function useForgetElsewhere(): void {
  const pathname = usePathname()
  const shown = useUrlState().search.get('lead')
  useEffect(() => {
    if (current === null) return
    // Of the screen's state and the address either may lag a moment behind the other.
    const open = [shown, new URLSearchParams(location.search).get('lead')]
    if (pathname !== LISTS_BY_KIND[current.lead.kind].href || !open.includes(current.lead.id)) forgetReply()
  }, [pathname, shown])
}

/** For `useReplyWish`: says that there is no way to reply. */
export function useNoReply(): () => false {
  const t = useTranslations('lead')
  return () => {
    toast(t('noReply'), { topic: 'reply' })
    return false
  }
}

function keyOf({ kind, id }: LeadRef): string {
  return `${kind} ${id}`
}
