'use client'

import { type RefObject, useCallback, useLayoutEffect } from 'react'
import { type Placement, placeBeside } from './place-beside'

/** Keeps an open `[popover]` beside its anchor while the page scrolls or changes size. Answers `place`, to call on opening. */
export function usePlacement(
  anchor: RefObject<HTMLElement | null>,
  box: RefObject<HTMLElement | null>,
  open: boolean,
  { side, align }: Placement,
): () => void {
  const place = useCallback(() => {
    if (anchor.current && box.current) move(box.current, anchor.current, { side, align })
  }, [anchor, box, side, align])

  useLayoutEffect(() => {
    if (!open) return
    place()
    const sized = new ResizeObserver(place)
    if (box.current) for (const child of box.current.children) sized.observe(child)
    window.addEventListener('resize', place)
    window.addEventListener('scroll', place, { capture: true, passive: true })
    return () => {
      sized.disconnect()
      window.removeEventListener('resize', place)
      window.removeEventListener('scroll', place, { capture: true })
    }
  }, [open, place, box])

  return place
}

function move(box: HTMLElement, anchor: HTMLElement, placement: Placement) {
  const screen = { width: document.documentElement.clientWidth, height: window.innerHeight }
  const frame = box.offsetHeight - box.clientHeight
  const size = { width: box.offsetWidth, height: box.scrollHeight + frame }
  const { left, top, maxHeight } = placeBeside(anchor.getBoundingClientRect(), size, screen, placement)
  Object.assign(box.style, { left: `${left}px`, top: `${top}px`, maxHeight: `${maxHeight}px` })
}
