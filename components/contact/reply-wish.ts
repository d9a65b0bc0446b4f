import { useEffect, useLayoutEffect, useRef } from 'react'
import type { LeadRef } from '@/lib/contract/lead'

/** Long enough to open the lead; a wish for one that never came up must not come true later. */
const KEPT_MS = 10_000

let wished: { key: string; at: number } | null = null
const listeners = new Set<() => void>()

/** Asks for the reply to a lead to be begun: by the one that is open, or as soon as it is. */
export function wishReply(lead: LeadRef): void {
  wished = { key: keyOf(lead), at: Date.now() }
  for (const listener of listeners) listener()
}

/** Calls `begin` when a reply to this lead is asked for, also a moment before it came up. */
export function useReplyWish(lead: LeadRef, begin: () => void): void {
  const latest = useRef(begin)
  useLayoutEffect(() => {
    latest.current = begin
  })
  const key = keyOf(lead)
  useEffect(() => {
    const look = () => {
      if (wished?.key !== key) return
      const isRecent = Date.now() - wished.at < KEPT_MS
      wished = null
      if (isRecent) latest.current()
    }
    look()
    listeners.add(look)
    return () => void listeners.delete(look)
  }, [key])
}

function keyOf({ kind, id }: LeadRef): string {
  return `${kind} ${id}`
}
