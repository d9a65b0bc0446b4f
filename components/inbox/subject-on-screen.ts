import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { LeadItem } from '@/lib/api/leads'
import { toLeadKey } from '@/lib/inbox/lead-text'
import type { LeadKey } from '@/lib/leads/lead-key'

/** The lead that keys act on. The open lead's view sets `item`. Until the lead is painted, `shownAtMs` is infinite. */
export type SubjectOnScreen = { key: LeadKey | null; shownAtMs: number; item?: LeadItem | undefined }

export function useSubjectOnScreen(key: LeadKey | null): RefObject<SubjectOnScreen> {
  const subject = useRef<SubjectOnScreen>({ key: null, shownAtMs: Infinity })
  useLayoutEffect(() => {
    subject.current = { key, shownAtMs: Infinity }
    const frame = requestAnimationFrame((paintedAtMs) => (subject.current.shownAtMs = paintedAtMs))
    return () => cancelAnimationFrame(frame)
  }, [key])
  return subject
}

/**
 * Creates a function that records a decision and returns true, or false for a likely accident: the same decision as the
 * last, less than `withinMs` after it, or after the next lead appeared, which nobody can have read in that time.
 */
export function createRepeatGuard(subject: RefObject<SubjectOnScreen>) {
  let last: { key: LeadKey; decisionJson: string; decidedAtMs: number } | null = null
  return (item: LeadItem, decision: object, withinMs: number): boolean => {
    const key = toLeadKey(item)
    const decisionJson = JSON.stringify(decision)
    const nowMs = performance.now()
    const shownAtMs = subject.current.key === key ? subject.current.shownAtMs : Infinity
    const sinceMs = last?.key === key ? last.decidedAtMs : shownAtMs
    if (last?.decisionJson === decisionJson && nowMs - sinceMs < withinMs) return false
    last = { key, decisionJson, decidedAtMs: nowMs }
    return true
  }
}
