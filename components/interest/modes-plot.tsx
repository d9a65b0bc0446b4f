import { useId } from 'react'

const HEIGHT = 44
const GAP = 2
const CHARACTER = 7

/** A way of answering: its share of the questions, and where in the bar it begins. */
export type NamedMode = { mode: string; name: string; questions: number; share: number; from: number }

/** One bar; each part has its pattern, and its name where there is room. */
export function ModesPlot({ modes, width, at }: { modes: readonly NamedMode[]; width: number; at: number }) {
  const id = useId()
  return (
    <svg data-picture viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true" className="text-2xs">
      <Patterns id={id} />
      {modes.map(({ mode, name, from, share }, index) => {
        const x = from * width
        const room = Math.max(1, share * width - GAP)
        return (
          <g key={mode}>
            <rect
              x={x + 0.5}
              y="0.5"
              width={room}
              height="22"
              rx="3"
              fill={fillOf(id, index)}
              className="stroke-accent"
            />
            {index === at && <rect x={x} y="26" width={room} height="2" className="fill-ink print:hidden" />}
            {room > name.length * CHARACTER && (
              <text x={x + 1} y="41" className="fill-mute">
                {name}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}

export function ModeSwatch({ index }: { index: number }) {
  const id = useId()
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" className="size-3 shrink-0">
      <Patterns id={id} />
      <rect x="0.5" y="0.5" width="11" height="11" rx="2" fill={fillOf(id, index)} className="stroke-accent" />
    </svg>
  )
}

/** Full, hatched, dotted. */
function Patterns({ id }: { id: string }) {
  return (
    <>
      <pattern id={`${id}-0`} width="4" height="4" patternUnits="userSpaceOnUse">
        <rect width="4" height="4" className="fill-accent" />
      </pattern>
      <pattern id={`${id}-1`} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="5" height="5" className="fill-panel" />
        <rect width="1.6" height="5" className="fill-accent" />
      </pattern>
      <pattern id={`${id}-2`} width="5" height="5" patternUnits="userSpaceOnUse">
        <rect width="5" height="5" className="fill-panel" />
        <circle cx="2.5" cy="2.5" r="1" className="fill-accent" />
      </pattern>
    </>
  )
}

function fillOf(id: string, index: number): string {
  return `url(#${id}-${Math.min(index, 2)})`
}
