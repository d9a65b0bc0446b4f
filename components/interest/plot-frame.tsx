import { useFormatter } from 'next-intl'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

type ChartProps = { summary: string; children: (sheet: { width: number; isPaper: boolean }) => ReactNode }

/** A drawing as wide as its box. Its numbers are in the table below it; a place of it names its own when pointed at. */
export function Chart({ summary, children }: ChartProps) {
  const [box, sheet] = useSheet()
  return (
    <div ref={box} role="img" aria-label={summary} className="[&>svg]:block [&>svg]:h-auto [&>svg]:w-full">
      {children(sheet)}
    </div>
  )
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

type DrawingProps = { width: number; height: number; className?: string; children: ReactNode }

/** The SVG of a chart, in px. Screen readers skip it, since `Chart` speaks for it; its picture is made of it. */
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
