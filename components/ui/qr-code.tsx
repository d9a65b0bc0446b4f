import { encode } from 'uqr'
import { cn } from './cn'

/** Black on white whatever the theme: many a camera reads nothing else. */
export function QrCode({ text, label, className }: { text: string; label: string; className: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={cn('forced-color-adjust-none', className)}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={codePath(data)} fill="#000" />
    </svg>
  )
}

export function codePath(rows: readonly (readonly boolean[])[]): string {
  return rows.map(rowPath).join('')
}

function rowPath(row: readonly boolean[], y: number): string {
  let path = ''
  for (let x = 0; x < row.length; x++) {
    if (row[x] !== true) continue
    const start = x
    while (row[x + 1] === true) x++
    path += `M${start} ${y}h${x + 1 - start}v1H${start}z`
  }
  return path
}
