import { useFormatter, useTranslations } from 'next-intl'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

type Sheet = { width: number; isPaper: boolean }

type ChartReaderProps = {
  title: string
  summary: string
  count: number
  at: number
  onMove: (at: number) => void
  valueText: string
  /** Which point lies under a place, given as a share of the drawing from the left. */
  pointUnder: (x: number, width: number) => number
  children: (sheet: Sheet) => ReactNode
  below: (sheet: Sheet) => ReactNode
}

/** A drawing that is read point by point, by arrow keys, mouse or finger (WAI-ARIA: slider). */
export function ChartReader(props: ChartReaderProps) {
  const { title, summary, count, at, onMove, valueText, pointUnder, children, below } = props
  const t = useTranslations('interest.chart')
  const summaryId = useId()
  const [box, sheet] = useSheet()
  const move = (to: number) => onMove(Math.min(count - 1, Math.max(0, to)))
  const onPointer = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    move(pointUnder((event.clientX - left) / width, sheet.width))
  }
  return (
    <>
      <p id={summaryId} className="sr-only">
        {summary} {t('keys')}
      </p>
      <div
        ref={box}
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
          if (to === undefined) return
          event.preventDefault()
          move(to)
        }}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        className="touch-pan-y rounded-sm [&>svg]:block [&>svg]:h-auto [&>svg]:w-full"
      >
        {children(sheet)}
      </div>
      {below(sheet)}
    </>
  )
}

function targetOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, at: number, count: number): number | undefined {
  if (ctrlKey || metaKey || altKey) return undefined
  const targets: Record<string, number> = {
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    PageDown: at + 10,
    PageUp: at - 10,
    Home: 0,
    End: count - 1,
  }
  return targets[key]
}

const BEFORE_MEASURED = 720
/** Narrower, a drawing is made smaller as a whole: its texts would not fit. */
const MIN_WIDTH = 240

/** What an A4 sheet has room for within its margins, in px. */
const SHEET = 700

/** As wide as its box, or as the paper, in px at the usual size of text: a drawing grows with the user's. */
function useSheet() {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(BEFORE_MEASURED)
  const [isPaper, setPaper] = useState(false)
  useEffect(() => {
    // The sheet is taken when the event is over, so the drawing must be there by then.
    const before = () => flushSync(() => setPaper(true))
    const after = () => setPaper(false)
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    const observer = new ResizeObserver(([entry]) => {
      const textSize = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
      const measured = Math.round((entry?.contentRect.width ?? 0) / textSize)
      if (measured > 0) setWidth(Math.max(MIN_WIDTH, measured))
    })
    if (box.current) observer.observe(box.current)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
      observer.disconnect()
    }
  }, [])
  return [box, { width: isPaper ? SHEET : width, isPaper }] as const
}

/** Until a point is chosen, the names alone: a key. */
type ReadOutProps = { values: readonly { name: string; swatch: ReactNode; value: string }[]; point: string | null }

export function ReadOut({ values, point }: ReadOutProps) {
  return (
    <dl aria-hidden="true" className="tabular mb-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-mute">
      {values.map(({ name, swatch, value }) => (
        <div key={name} className="flex items-center gap-1.5">
          <dt className="flex items-center gap-1.5">
            {swatch}
            {name}
          </dt>
          {point !== null && <dd className="font-semibold text-ink print:hidden">{value}</dd>}
        </div>
      ))}
      <div suppressHydrationWarning className="text-faint print:hidden">
        {point}
      </div>
    </dl>
  )
}

type DrawingProps = { width: number; height: number; className?: string; children: ReactNode }

/** The SVG of a chart, in px. Screen readers skip it, since `ChartReader` speaks for it; its picture is made of it. */
export function Drawing({ width, height, className = 'text-[11.5px] print:text-[10.5px]', children }: DrawingProps) {
  return (
    <svg data-picture viewBox={`0 0 ${width} ${height}`} aria-hidden="true" className={className}>
      {children}
    </svg>
  )
}

export type Scale = (value: number) => number

export function heightScale(ticks: readonly number[], top: number, floor: number): Scale {
  const max = ticks.at(-1) ?? 1
  return (value) => floor - (value / max) * (floor - top)
}

type ValueAxisProps = { ticks: readonly number[]; y: Scale; left: number; right: number }

export function ValueAxis({ ticks, y, left, right }: ValueAxisProps) {
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
        {format.number(value)}
      </text>
    </g>
  ))
}
