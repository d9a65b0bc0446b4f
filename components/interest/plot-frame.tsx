import { useFormatter, useTranslations } from 'next-intl'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'

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

type ReadOutProps = {
  values: readonly { name: string; swatch: ReactNode; value: string }[]
  /** Which point the values are of. */
  point: string
}

/** The legend of a chart and, beside each name, its value at the chosen point. The slider beneath says the same aloud. */
export function ReadOut({ values, point }: ReadOutProps) {
  return (
    <dl aria-hidden="true" className="tabular mb-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-mute">
      {values.map(({ name, swatch, value }) => (
        <div key={name} className="flex items-center gap-1.5">
          <dt className="flex items-center gap-1.5">
            {swatch}
            {name}
          </dt>
          <dd className="font-semibold text-ink">{value}</dd>
        </div>
      ))}
      <div suppressHydrationWarning className="text-faint">
        {point}
      </div>
    </dl>
  )
}

const BEFORE_MEASURED = 720
/** Narrower, a drawing is made smaller as a whole: its texts would not fit. */
const LEAST = 240

/** What an A4 sheet has room for within its margins, in px, and half of it beside another chart. */
const SHEET = 700
export const HALF_SHEET = 340

/**
 * How wide a chart is to be drawn, in px: as its box is, so that texts and lines are as large as elsewhere. For paper it is
 * drawn anew, because a drawing of a narrow box would have huge letters there.
 */
export function useChartWidth(onPaper = SHEET): [RefObject<HTMLDivElement | null>, number] {
  const isPaper = useIsPaper()
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
  return [box, isPaper ? onPaper : width]
}

/** Whether the page is being printed. */
export function useIsPaper(): boolean {
  const [isPaper, setPaper] = useState(false)
  useEffect(() => {
    // The sheet is taken when the event is over, so the drawing must be there by then.
    const before = () => flushSync(() => setPaper(true))
    const after = () => setPaper(false)
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
    }
  }, [])
  return isPaper
}

type DrawingProps = { width: number; height: number; className?: string; children: ReactNode }

/** The SVG of a chart, in px. Screen readers skip it, since `ChartReader` speaks for it; its picture is made of it. */
export function Drawing({ width, height, className = 'text-2xs', children }: DrawingProps) {
  return (
    <svg data-picture viewBox={`0 0 ${width} ${height}`} aria-hidden="true" className={className}>
      {children}
    </svg>
  )
}

type ValueAxisProps = {
  ticks: readonly number[]
  y: (value: number) => number
  left: number
  right: number
  /** How a tick is written, if not as a number. */
  write?: (tick: number) => string
}

/** A line across the drawing for each tick, with its number on the left. */
export function ValueAxis({ ticks, y, left, right, write }: ValueAxisProps) {
  const format = useFormatter()
  return ticks.map((value) => (
    <g key={value}>
      <line
        x1={left}
        x2={right}
        y1={y(value)}
        y2={y(value)}
        className={value === 0 ? 'stroke-line' : 'stroke-line-soft'}
      />
      <text x={left - 6} y={y(value) + 3.5} textAnchor="end" className="tabular fill-faint">
        {write ? write(value) : format.number(value)}
      </text>
    </g>
  ))
}
