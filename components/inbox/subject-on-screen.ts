import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { LeadItem } from '@/lib/api/leads'
import { toLeadKey } from '@/lib/inbox/lead-text'
import type { LeadKey } from '@/lib/leads/lead-key'

/** The lead that keys act on, and its `item` if it is open. `shownAt` (`performance.now`) is infinite until painted. */
export type SubjectOnScreen = { key: LeadKey | null; shownAt: number; item?: LeadItem | undefined }

export function useSubjectOnScreen(key: LeadKey | null): RefObject<SubjectOnScreen> {
  const subject = useRef<SubjectOnScreen>({ key: null, shownAt: Infinity })
  useLayoutEffect(() => {
    subject.current = { key, shownAt: Infinity }
    const frame = requestAnimationFrame((shownAt) => (subject.current.shownAt = shownAt))
    return () => cancelAnimationFrame(frame)
  }, [key])
  return subject
}

/**
 * Creates a function that records a decision, unless it repeats the last one: by a second press, or on an unread lead.
 * It returns whether the decision is recorded.
 */
export function createRepeatGuard(subject: RefObject<SubjectOnScreen>) {
  let last: { key: LeadKey; decision: string; decidedAt: number } | null = null
  return (item: LeadItem, decided: object, withinMs: number): boolean => {
    const key = toLeadKey(item)
    const decision = JSON.stringify(decided)
    const now = performance.now()
    const shownAt = subject.current.key === key ? subject.current.shownAt : Infinity
    const since = last?.key === key ? last.decidedAt : shownAt
    if (last?.decision === decision && now - since < withinMs) return false
    last = { key, decision, decidedAt: now }
    return true
  }
}
