import { type RefObject, useEffect, useState } from 'react'
import { useIsWritingRequested } from '@/components/contact/writing-request'
import { useIsWide } from '@/components/ui/browser-tab'
import type { LeadRef } from '@/lib/contract/lead'
import { allCommands } from '@/lib/keyboard/commands'
import { findKeyContext } from '@/lib/keyboard/key-reader'
import { leadKey } from '@/lib/leads/lead-key'

const OPENED_AFTER_MS = 2_000

/**
 * Tells whether the lead counts as opened, which the server logs. A lead that the list shows by itself counts once it has been in
 * sight for two seconds, or the user acts on it by a press, the focus, or a key that decides.
 */
export function useIsOpened(pane: RefObject<HTMLElement | null>, lead: LeadRef, isChosen: boolean): boolean {
  const key = leadKey(lead)
  const isInSight = useIsWide()
  const [openedKey, setOpenedKey] = useState<string | null>(null)
  const isWritingRequested = useIsWritingRequested(lead)
  const isOpened = isChosen || isWritingRequested || openedKey === key
  useEffect(() => {
    if (isOpened || !isInSight) return
    const unmount = new AbortController()
    const { signal } = unmount
    const open = () => setOpenedKey(key)
    let timer: ReturnType<typeof setTimeout> | undefined
    const restartTimer = () => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') timer = setTimeout(open, OPENED_AFTER_MS)
    }
    const openByKey = ({ key: pressed, target }: KeyboardEvent) => {
      const isDecision = allCommands().some((command) => command.group === 'decide' && command.key === pressed)
      if (isDecision && findKeyContext(target) !== 'typing') open()
    }
    restartTimer()
    document.addEventListener('visibilitychange', restartTimer, { signal })
    pane.current?.addEventListener('pointerdown', open, { signal })
    pane.current?.addEventListener('focusin', open, { signal })
    window.addEventListener('keydown', openByKey, { capture: true, signal })
    return () => {
      clearTimeout(timer)
      unmount.abort()
    }
  }, [pane, key, isOpened, isInSight])
  return isOpened
}
