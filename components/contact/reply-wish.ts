import { useEffect, useLayoutEffect, useRef } from 'react'
import { holdTyping } from '@/components/browser/typed-ahead'
import type { LeadRef } from '@/lib/contract/lead'

/** Long enough to open the lead; a wish for one that never came up must not come true later. */
const KEPT_MS = 10_000

let wished: { key: string; at: number } | null = null
const listeners = new Set<() => void>()

/** What is typed before the text has the focus is meant for it, and is no command. */
let letGo = () => {}

/** There is no text to write in after all. */
export function letGoOfTyping(): void {
  letGo()
  letGo = () => {}
}

/** Asks for the reply to a lead to be begun: by the one that is open, or as soon as it is. */
export function wishReply(lead: LeadRef): void {
  letGoOfTyping()
  letGo = holdTyping()
  wished = { key: keyOf(lead), at: Date.now() }
  for (const listener of listeners) listener()
}

/** Calls `begin`, which answers whether there is a text to write in, when a reply to this lead is asked for, also a moment before it came up. */
export function useReplyWish(lead: LeadRef, begin: () => boolean): void {
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
      if (!isRecent || !latest.current()) letGoOfTyping()
    }
    look()
    listeners.add(look)
    return () => void listeners.delete(look)
  }, [key])
}

function keyOf({ kind, id }: LeadRef): string {
  return `${kind} ${id}`
}
