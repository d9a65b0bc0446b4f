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

/** Each run of dark modules is one rectangle. */
export function codePath(rows: readonly (readonly boolean[])[]): string {
  return rows
    .map((row, y) => {
      const signs = row.map((isDark) => (isDark ? '#' : ' ')).join('')
      return [...signs.matchAll(/#+/g)].map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1H${index}z`).join('')
    })
    .join('')
}
