/** Told apart by colour, by dashes and by width: on paper, in grey and by every eye. The chosen cohort is first. */
export const curveLooks = [
  { line: 'stroke-accent', mark: 'fill-accent', text: 'fill-accent', dash: undefined, width: 2.75 },
  { line: 'stroke-mute', mark: 'fill-mute', text: 'fill-mute', dash: '7 4', width: 1.75 },
  { line: 'stroke-faint', mark: 'fill-faint', text: 'fill-faint', dash: '1.5 4', width: 1.75 },
] as const
const last = curveLooks[2]

export function curveLook(index: number): (typeof curveLooks)[number] {
  return curveLooks[index] ?? last
}

/** Circle, square, triangle. To be drawn within an `svg`. */
export function CurveMark({ index, x, y }: { index: number; x: number; y: number }) {
  const { mark } = curveLook(index)
  const place = { transform: `translate(${x} ${y})`, className: `${mark} stroke-panel`, strokeWidth: 1.5 }
  if (index === 0) return <circle r="5" {...place} />
  if (index === 1) return <path d="M-4-4H4V4H-4z" {...place} />
  return <path d="M0-5 5 4H-5z" {...place} />
}

export function CurveSwatch({ index }: { index: number }) {
  const { line, dash, width } = curveLook(index)
  return (
    <svg viewBox="0 0 26 12" aria-hidden="true" className="h-3 w-6.5 shrink-0">
      <path d="M0 6H26" className={line} strokeWidth={width} strokeDasharray={dash} strokeLinecap="round" />
      <CurveMark index={index} x={13} y={6} />
    </svg>
  )
}
