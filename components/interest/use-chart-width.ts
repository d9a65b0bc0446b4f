'use client'

import { type RefObject, useEffect, useRef, useState } from 'react'

const BEFORE_MEASURED = 720
/** Narrower, a drawing is made smaller as a whole: its texts would not fit. */
const LEAST = 240

/**
 * How wide a chart is to be drawn, in px: as its box is, so that texts and lines are as large as elsewhere. A printed page
 * scales what the screen showed.
 */
export function useChartWidth(): [RefObject<HTMLDivElement | null>, number] {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(BEFORE_MEASURED)
  useEffect(() => {
    if (!box.current) return
    const observer = new ResizeObserver(([entry]) => {
      const measured = Math.round(entry?.contentRect.width ?? 0)
      if (measured > 0) setWidth(Math.max(LEAST, measured))
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return [box, width]
}
