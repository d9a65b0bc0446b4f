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

/** Takes back the reply that is about to be sent, where one is; told by whoever sends it. */
let takeBack: (() => boolean) | null = null
/** How much was decided since: what was done last is taken back first. */
let decidedSince = 0

export function replyIsLeaving(back: () => boolean): void {
  takeBack = back
  decidedSince = 0
}

export function decidedAfterReply(): void {
  decidedSince += 1
}

/** Whether what was done last was a reply, and there to take back. */
export function takeBackReply(): boolean {
  if (takeBack !== null && decidedSince > 0) {
    decidedSince -= 1
    return false
  }
  const isBack = takeBack?.() ?? false
  takeBack = null
  return isBack
}

function keyOf({ kind, id }: LeadRef): string {
  return `${kind} ${id}`
}
