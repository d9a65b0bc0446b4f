import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { ignoreRun, keepLetters } from '@/components/browser/typing'
import { useUrlState } from '@/components/browser/url-state'
import { toast } from '@/components/ui/toast'
import type { LeadRef } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'

/** `mail` for whoever chose to write; without it as the person behind the lead asked for. */
export type ReplyWish = { way?: 'mail' | undefined }

let wished: (ReplyWish & { key: string }) | null = null
const listeners = new Set<() => void>()

/** What is typed before the answer has the focus is meant for it, and is no command. */
let letGo = () => {}
/** The lead that letters are kept for. */
let keptFor: LeadRef | null = null

/** Nothing is answered after all; for `lead` only where it is the one that was wished for. */
export function forgetReply(lead?: LeadRef): void {
  if (lead !== undefined && (keptFor === null || keyOf(keptFor) !== keyOf(lead))) return
  wished = null
  keptFor = null
  letGo()
  letGo = () => {}
}

/** Asks for the reply to a lead to be begun: by the one that is open, or as soon as it is. */
export function wishReply(lead: LeadRef, way?: 'mail'): void {
  forgetReply()
  letGo = keepLetters('reply', () => forgetReply())
  keptFor = lead
  wished = { key: keyOf(lead), way }
  for (const listener of listeners) listener()
}

/** Calls `begin`, which answers whether there is anything to answer in, when a reply to this lead is asked for, also before it came up. */
export function useReplyWish(lead: LeadRef, begin: (wish: ReplyWish) => boolean): void {
  const latest = useRef(begin)
  useLayoutEffect(() => {
    latest.current = begin
  })
  const key = keyOf(lead)
  useEffect(() => {
    const look = () => {
      if (wished?.key !== key) return
      const wish = wished
      wished = null
      if (latest.current(wish)) return
      forgetReply()
      ignoreRun()
    }
    look()
    listeners.add(look)
    return () => void listeners.delete(look)
  }, [key])
}

/** Forgets a wish when the person came to another screen, or to another lead, than the one that it is for. */
export function useForgetElsewhere(): void {
  const pathname = usePathname()
  const shown = useUrlState().search.get('lead')
  useEffect(() => {
    if (keptFor === null) return
    // Of the screen's state and the address either may lag a moment behind the other.
    const open = [shown, new URLSearchParams(location.search).get('lead')]
    if (pathname !== LISTS_BY_KIND[keptFor.kind].href || !open.includes(keptFor.id)) forgetReply()
  }, [pathname, shown])
}

/** Says that there is nobody to answer, or no way to; for `useReplyWish`. */
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
