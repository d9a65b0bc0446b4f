import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { LeadItem } from '@/lib/api/leads'
import { toLeadKey } from '@/lib/inbox/lead-text'
import type { LeadKey } from '@/lib/leads/lead-key'

/** The lead that keys act on, and its `item` if it is open. `shownAt` (`performance.now`) is infinite until painted. */
export type SubjectOnScreen = { id: LeadKey | null; shownAt: number; item?: LeadItem | undefined }

export function useSubjectOnScreen(id: LeadKey | null): RefObject<SubjectOnScreen> {
  const subject = useRef<SubjectOnScreen>({ id: null, shownAt: Infinity })
  useLayoutEffect(() => {
    subject.current = { id, shownAt: Infinity }
    const frame = requestAnimationFrame((shownAt) => (subject.current.shownAt = shownAt))
    return () => cancelAnimationFrame(frame)
  }, [id])
  return subject
}

/** Creates a function that tells whether a decision repeats the last one: by a second press, or on an unread lead. */
export function createRepeatGuard(subject: RefObject<SubjectOnScreen>) {
  let last: { id: LeadKey; decision: string; decidedAt: number } | null = null
  return (item: LeadItem, decided: object, withinMs: number): boolean => {
    const id = toLeadKey(item)
    const decision = JSON.stringify(decided)
    const now = performance.now()
    const shownAt = subject.current.id === id ? subject.current.shownAt : Infinity
    const since = last?.id === id ? last.decidedAt : shownAt
    if (last?.decision === decision && now - since < withinMs) return true
    last = { id, decision, decidedAt: now }
    return false
  }
}
