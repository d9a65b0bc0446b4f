'use client'

import { leaving } from '@/components/browser/unsaved-work'
import { useShown } from '@/components/browser/shown-state'
import { lazyPart } from '@/components/desk/lazy-part'

const Leave = lazyPart(async () => (await import('@/components/desk/leave')).Leave, null, 'leave')

/** Asks before a text is lost, and signs out. */
export function LeavingQuestion() {
  const now = useShown(leaving, (what) => what)
  return now && <Leave leaving={now} />
}
