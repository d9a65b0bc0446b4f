'use client'

import { useTranslations } from 'next-intl'
import { type KeyboardEvent, type PointerEvent, type ReactNode, type RefObject, useId } from 'react'

type ChartReaderProps = {
  boxRef?: RefObject<HTMLDivElement | null>
  title: string
  /** What the chart shows, in a sentence. */
  summary: string
  count: number
  /** The point that is read out, from 0. */
  at: number
  onMove: (at: number) => void
  /** The point in words. */
  valueText: string
  /** Which point lies under a place of the chart; both as shares, from the left and from the top. */
  pointUnder: (x: number, y: number) => number
  children: ReactNode
}

/** A drawing that is read point by point, by arrow keys, mouse or finger (WAI-ARIA: slider). */
export function ChartReader(props: ChartReaderProps) {
  const { boxRef, title, summary, count, at, onMove, valueText, pointUnder, children } = props
  const t = useTranslations('interest.chart')
  const summaryId = useId()
  const move = (to: number) => onMove(Math.min(count - 1, Math.max(0, to)))
  const follow = (event: PointerEvent<HTMLElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    move(pointUnder((event.clientX - left) / width, (event.clientY - top) / height))
  }
  return (
    <>
      <p id={summaryId} className="sr-only">
        {summary} {t('keys')}
      </p>
      <div
        ref={boxRef}
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-describedby={summaryId}
        aria-valuemin={1}
        aria-valuemax={Math.max(1, count)}
        aria-valuenow={at + 1}
        aria-valuetext={valueText}
        onKeyDown={(event) => {
          const to = targetOf(event, at, count)
          if (to === null) return
          event.preventDefault()
          move(to)
        }}
        onPointerDown={follow}
        onPointerMove={follow}
        className="touch-pan-y rounded-sm [&>svg]:block [&>svg]:h-auto [&>svg]:w-full"
      >
        {children}
      </div>
    </>
  )
}

const STRIDE = 10

function targetOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, at: number, count: number): number | null {
  if (ctrlKey || metaKey || altKey) return null
  if (key === 'ArrowRight' || key === 'ArrowDown') return at + 1
  if (key === 'ArrowLeft' || key === 'ArrowUp') return at - 1
  if (key === 'PageDown') return at + STRIDE
  if (key === 'PageUp') return at - STRIDE
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}
