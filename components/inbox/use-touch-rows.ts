'use client'

import { useEffect, type RefObject } from 'react'
import { useStableCallback } from './use-stable-callback'

export type RowGestures = {
  /** Drawn far enough to the right or to the left, and let go. */
  onSwipe: (index: number, to: 'right' | 'left') => void
  /** Held down for a moment. */
  onHold: (index: number) => void
}

/** What fingers do to rows besides tapping. Only where there are fingers is the code for it fetched. */
export function useTouchRows(scroller: RefObject<HTMLElement | null>, gestures: RowGestures): void {
  const onSwipe = useStableCallback(gestures.onSwipe)
  const onHold = useStableCallback(gestures.onHold)
  useEffect(() => {
    const element = scroller.current
    if (element === null || !window.matchMedia('(any-pointer: coarse)').matches) return
    let isGone = false
    let detach = () => {}
    const attach = async () => {
      const { attachTouch } = await import('./touch-rows')
      if (!isGone) detach = attachTouch(element, { onSwipe, onHold })
    }
    void attach()
    return () => {
      isGone = true
      detach()
    }
  }, [scroller, onSwipe, onHold])
}
