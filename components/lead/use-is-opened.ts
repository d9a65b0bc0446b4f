import { type RefObject, useEffect, useState } from 'react'
import { useIsWritingRequested } from '@/components/contact/writing-request'
import { useIsWide } from '@/components/ui/browser-state'
import type { LeadRef } from '@/lib/contract/lead'
import { isDecisionKey } from '@/lib/keyboard/decision-key'
import { findKeyContext } from '@/lib/keyboard/key-reader'
import { leadKey } from '@/lib/leads/lead-key'

const OPENED_AFTER_MS = 2_000

/**
 * Tells whether the lead counts as opened, which the server logs. A lead that the list shows by itself (not
 * `isChosen`) counts once it has been in sight for two seconds, or the user presses, focuses or decides something.
 */
export function useIsOpened(paneRef: RefObject<HTMLElement | null>, lead: LeadRef, isChosen: boolean): boolean {
  const currentKey = leadKey(lead)
  const isBesideList = useIsWide()
  const [openedKey, setOpenedKey] = useState<string | null>(null)
  const isWritingRequested = useIsWritingRequested(lead)
  const isOpened = isChosen || isWritingRequested || openedKey === currentKey
  useEffect(() => {
    // On a narrow screen a lead is shown only when chosen.
    if (isOpened || !isBesideList) return
    const controller = new AbortController()
    const { signal } = controller
    const markOpened = () => setOpenedKey(currentKey)
    let timer: ReturnType<typeof setTimeout> | undefined
    const restartTimer = () => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') timer = setTimeout(markOpened, OPENED_AFTER_MS)
    }
    const markOpenedByKey = (event: KeyboardEvent) => {
      if (isDecisionKey(event) && findKeyContext(event.target) !== 'typing') markOpened()
    }
    restartTimer()
    document.addEventListener('visibilitychange', restartTimer, { signal })
    paneRef.current?.addEventListener('pointerdown', markOpened, { signal })
    paneRef.current?.addEventListener('focusin', markOpened, { signal })
    window.addEventListener('keydown', markOpenedByKey, { capture: true, signal })
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [paneRef, currentKey, isOpened, isBesideList])
  return isOpened
}
